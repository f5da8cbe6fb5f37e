// @ts-check
/** The language and looks of an exported page, kept in this browser. */

import { all, keptTexts, one } from "./papan.js";

const KEY = "papan-looks";
const root = document.documentElement;

/** @param {Record<string, string>} looks */
function keep(looks) {
  try {
    localStorage.setItem(KEY, JSON.stringify(looks));
  } catch {
    // The looks last as long as the page.
  }
}

const looks = keptTexts(KEY);
const wanted = looks.language ?? navigator.language.slice(0, 2);
const body = /** @type {HTMLTemplateElement | null} */ (one(`template[data-body="${CSS.escape(wanted)}"]`));
if (body) {
  for (const part of all("body > header, body > main, body > .skip")) part.remove();
  document.body.prepend(body.content.cloneNode(true));
  root.lang = wanted;
}
show();

/** Applies the looks, and shows them in the form. */
function show() {
  const form = /** @type {HTMLFormElement | null} */ (one("#looks"));
  for (const field of /** @type {HTMLSelectElement[]} */ (all("select", form ?? document.body))) {
    if (!(field.name in root.dataset)) continue;
    if (looks[field.name]) root.dataset[field.name] = looks[field.name];
    field.value = root.dataset[field.name] ?? "";
  }
}

document.addEventListener("change", (event) => {
  const field = /** @type {HTMLSelectElement} */ (event.target);
  if (field.form?.id !== "looks") return;
  const other = { x: "o", o: "x" }[field.name];
  if (other && root.dataset[other] === field.value) looks[other] = root.dataset[field.name] ?? ""; // never the same colour
  looks[field.name] = field.value;
  keep(looks);
  show();
});

document.addEventListener("click", (event) => {
  const { language } = /** @type {HTMLElement} */ (event.target).dataset ?? {};
  if (!language || language === root.lang) return;
  looks.language = language;
  keep(looks);
  location.reload();
});

if ("serviceWorker" in navigator && one("link[rel=manifest]") && location.protocol.startsWith("http")) {
  navigator.serviceWorker.register(new URL("sw.js", /** @type {HTMLLinkElement} */ (one("link[rel=manifest]")).href));
}
