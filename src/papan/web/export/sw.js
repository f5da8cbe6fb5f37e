// @ts-check
/// <reference lib="webworker" />
/** Keeps all files of an exported site, so that it works without a connection. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** The version of the site, and its files. */
const [VERSION, FILES] = /** @type {[string, string[]]} */ (["VERSION", ["FILES"]]);
/** Other sites of the same host have caches of their own. */
const PREFIX = `papan ${worker.registration.scope} `;
const CACHE = PREFIX + VERSION;

/** Returns requests for all files that pass by the browser's own cache, which may hold older ones. */
const fresh = () => FILES.map((name) => new Request(name, { cache: "reload" }));

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh())).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request).then((known) => known ?? fetch(event.request)));
});
