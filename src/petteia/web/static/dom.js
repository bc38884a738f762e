// @ts-check
// Elements, words and small signs that every page uses.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */

/** An HTML element: properties that begin with "on" are listeners. @param {string} name @param {Record<string, any>} [given] @param {...(Child | Child[])} children @returns {any} */
export function h(name, given = {}, ...children) {
	return filled(document.createElement(name), given, children);
}

/** An SVG element. @param {string} name @param {Record<string, any>} [given] @param {...(Child | Child[])} children @returns {any} */
export function s(name, given = {}, ...children) {
	return filled(document.createElementNS(SVG, name), given, children);
}

/** @param {Element} element @param {Record<string, any>} given @param {(Child | Child[])[]} children */
function filled(element, given, children) {
	for (const [key, value] of Object.entries(given)) {
		if (value === null || value === undefined || value === false) continue;
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else element.setAttribute(key, value === true ? "" : String(value));
	}
	add(element, ...children);
	return element;
}

/** @param {Element} element @param {...(Child | Child[])} children */
export function add(element, ...children) {
	for (const child of children.flat()) {
		if (child === null || child === undefined || child === false) continue;
		element.append(child instanceof Node ? child : String(child));
	}
}

/** Replaces what an element holds. @param {Element} element @param {...(Child | Child[])} children */
export function put(element, ...children) {
	element.replaceChildren();
	add(element, ...children);
}

/** The element of the page with this id. @param {string} id @returns {HTMLElement} */
export function byId(id) {
	return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** Says something to those who listen to the page. @param {string} words */
export function announce(words) {
	byId("live").textContent = words;
}

/** The words of an error. @param {unknown} error */
export function said(error) {
	return error instanceof Error ? error.message : String(error);
}

/** Tells what went wrong. @param {unknown} error */
export function complain(error) {
	toast(said(error));
}

/** Does something and tells if it goes wrong. @param {() => Promise<any>} work */
export async function attempt(work) {
	try {
		return await work();
	} catch (error) {
		complain(error);
	}
}

/** The head of a table. @param {string[]} names */
export function head(names) {
	return h("thead", {}, h("tr", {}, names.map((each) => h("th", { scope: "col" }, each))));
}

let hideToast = 0;

/** Shows one line for a few seconds. @param {string} words @param {string} [kind] */
export function toast(words, kind = "bad") {
	const box = byId("toast");
	box.textContent = words;
	box.className = `shown ${kind}`;
	clearTimeout(hideToast);
	hideToast = window.setTimeout(() => (box.className = ""), 5000);
}

/** A dialog that closes with Escape. @param {string} title @param {...(Child | Child[])} children */
export function dialog(title, ...children) {
	const box = /** @type {HTMLDialogElement} */ (byId("dialog"));
	const close = h("button", { class: "plain close", "aria-label": "Close", onclick: () => box.close() }, "✕");
	put(box, h("h2", {}, title), close, ...children);
	box.setAttribute("aria-label", title);
	if (!box.open) box.showModal();
	return box;
}

/** Text to the clipboard. @param {string} text @param {string} what */
export async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
		toast(`${what} copied`, "good");
	} catch {
		dialog(what, h("textarea", { rows: 6, readonly: true, "aria-label": what }, text));
	}
}

/** A file for the visitor. @param {string} name @param {Blob} content */
export function download(name, content) {
	const link = h("a", { href: URL.createObjectURL(content), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A value of a search as people read it. @param {number | null | undefined} value @param {number | null | undefined} end plies to a forced end */
export function valueText(value, end) {
	if (value === null || value === undefined) return "–";
	if (end !== null && end !== undefined) return `${value > 0 ? "wins" : "loses"} in ${end}`;
	const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(places);
}

/** A share as a percentage. @param {number | null | undefined} share @param {number} [places] */
export function percent(share, places = 0) {
	return share === null || share === undefined ? "–" : `${(100 * share).toFixed(places)} %`;
}

/** The first letter large. @param {string} words */
export function capital(words) {
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A sign for a player: round for the first, square for the second. @param {number} player */
export function sign(player) {
	const shape = player === 0
		? s("circle", { cx: 8, cy: 8, r: 6.5 })
		: s("rect", { x: 2, y: 2, width: 12, height: 12, rx: 3.5 });
	return s("svg", { class: `sign p${player}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, shape);
}
