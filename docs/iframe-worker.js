// Pages opened from a disk may not start workers, and the search of this site is one. Here the
// script of a worker runs in a hidden frame instead, with the three names that it needs.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      this.ready = new Promise((resolve) => {
        frame.addEventListener("load", () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          inside.importScripts = () => {};
          const script = inside.document.createElement("script");
          script.addEventListener("load", () => resolve(inside));
          script.src = new URL(url, location.href).href;
          inside.document.head.append(script);
        });
      });
      frame.srcdoc = "<!doctype html><title>worker</title>";
      document.documentElement.append(frame);
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {}
  };
}
