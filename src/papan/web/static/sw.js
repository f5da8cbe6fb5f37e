// @ts-check
/// <reference lib="webworker" />
/** Keeps all files of an exported site, so that it works without a connection. */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** The version of the site, and its files. */
const [VERSION, FILES] = /** @type {[string, string[]]} */ (["VERSION", ["FILES"]]);

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.match(event.request).then((known) => known ?? fetch(event.request)));
});
