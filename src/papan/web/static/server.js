// @ts-check
/** The back end of game pages on a server: requests for fragments, and a live connection. */

import { FRAGMENT, connect, one } from "./papan.js";
import { start } from "./game.js";

const page = () => /** @type {HTMLElement} */ (one("[data-game]"));

/** Returns the game in the HTML of a page. @param {string} html */
function parsed(html) {
  const found = new DOMParser().parseFromString(html, "text/html");
  const fresh = /** @type {HTMLElement | null} */ (found.querySelector("[data-game]"));
  return { page: fresh, text: found.querySelector("[data-text]")?.textContent ?? html.slice(0, 200) };
}

start({
  async ask(address, init) {
    const response = await fetch(address, { ...init, headers: { ...FRAGMENT, ...init.headers } });
    const text = await response.text();
    const elsewhere = response.redirected && !new URL(response.url).pathname.startsWith(page().dataset.address ?? "?");
    return { ...parsed(text), refused: !response.ok, moved: elsewhere ? response.url : undefined };
  },
  listen(take, tell) {
    const address = () => `${page().dataset.live}?version=${page().dataset.version}`;
    connect(address, (html) => {
      const { page: fresh } = parsed(html);
      if (fresh) take(fresh);
    }, tell);
  },
});
