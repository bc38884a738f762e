// @ts-check
// Elements, words and small signs that every page uses.

/**
 * @import { Strength } from "./messages.js"
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Child | Child[]} Held
 */

/**
 * Makes elements: their name and classes such as "p.quiet", attributes if they have any, what they
 * hold. Attributes that begin with "on" are listeners.
 * @param {string} space
 * @returns {(name: string, ...given: any[]) => any}
 */
const maker =
	(space) =>
	(name, ...given) => {
		const [kind, ...classes] = name.split("."),
			element = document.createElementNS(space, kind);
		const first = given[0],
			named = first && Object.getPrototypeOf(first) === Object.prototype;
		if (classes.length) element.setAttribute("class", classes.join(" "));
		for (const [key, value] of named ? Object.entries(first) : []) {
			if (isNothing(value)) continue;
			if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
			else element.setAttribute(key, value === true ? "" : String(value));
		}
		add(element, ...(named ? given.slice(1) : given));
		return element;
	};
export const h = maker("http://www.w3.org/1999/xhtml"),
	s = maker("http://www.w3.org/2000/svg");

/** What no element holds, and no attribute says. */
const isNothing = (/** @type {any} */ given) => given === false || (given ?? null) === null;

/** @param {Element} element @param {...Held} children */
export function add(element, ...children) {
	for (const child of children.flat()) {
		if (!isNothing(child)) element.append(child instanceof Node ? child : String(child));
	}
}

/** Replaces what an element holds. @param {Element} element @param {...Held} children */
export function put(element, ...children) {
	element.replaceChildren();
	add(element, ...children);
}

/** The element of the page with this id. @param {string} id @returns {HTMLElement} */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** Says something to those who listen to the page. @param {string} words */
export function announce(words) {
	byId("live").textContent = words;
}

const MOST_KEPT = 20;

/** @param {string} shelf @returns {[string, any][]} */
const keptOn = (shelf) => JSON.parse(localStorage.getItem(shelf) ?? "[]");

/** What the browser has kept. @param {string} shelf @param {string} key */
export const recall = (shelf, key) => keptOn(shelf).find(([each]) => each === key)?.[1];

/** Keeps something in the browser, or with null no longer; the oldest go. @param {string} shelf @param {string} key @param {any} what */
export function keep(shelf, key, what) {
	const others = keptOn(shelf).filter(([each]) => each !== key);
	const all = what === null ? others : [[key, what], ...others];
	localStorage.setItem(shelf, JSON.stringify(all.slice(0, MOST_KEPT)));
}

/** The words of an error. @param {unknown} error */
export const said = (error) => (error instanceof Error ? error.message : String(error));

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

/**
 * @param {Child} text
 * @param {(event: any) => any} onclick
 * @param {string} [kind] its class
 * @param {Record<string, any>} [more]
 */
export const button = (text, onclick, kind = "", more = {}) =>
	h("button", { type: "button", class: kind || null, onclick, ...more }, text);

/**
 * Something to choose from.
 * @param {string} label
 * @param {string[][]} options values, and what they say
 * @param {string} chosen
 * @param {(value: string) => any} onchange
 * @param {Record<string, any>} [more]
 */
export function select(label, options, chosen, onchange, more = {}) {
	return h(
		"select",
		{
			"aria-label": label,
			onchange: (event) => onchange(event.target.value),
			...more,
		},
		options.map(([value, text = value]) =>
			h("option", { value, selected: value === chosen }, text),
		),
	);
}

/**
 * A table; the first cell of a row names it.
 * @param {string[]} names of the columns; none, no head
 * @param {any[]} rows
 * @param {string | null} [kind]
 * @param {Child} [caption]
 */
export function table(names, rows, kind = null, caption = null) {
	return h(
		"table",
		{ class: kind },
		caption && h("caption", caption),
		names.length
			? h(
					"thead",
					h(
						"tr",
						names.map((each) => (each ? h("th", { scope: "col" }, each) : h("td"))),
					),
				)
			: null,
		h(
			"tbody",
			rows.filter(Boolean).map(([first, ...rest]) =>
				h(
					"tr",
					first === "" ? h("td") : h("th", { scope: "row" }, first),
					rest.map((/** @type {Child} */ each) => h("td", each)),
				),
			),
		),
	);
}

/** What can be unfolded. @param {Child} summary @param {...Held} children */
export const folded = (summary, ...children) => h("details", h("summary", summary), ...children);

/** What may be wider than the window. @param {string} label @param {...Held} children */
export const scrolled = (label, ...children) =>
	h("div.scroll", { tabindex: 0, role: "region", "aria-label": label }, ...children);

/** Fills a page. @param {Element} main @param {string} title @param {...Held} children */
export function page(main, title, ...children) {
	put(main, h("div.page", h("h1", title), ...children));
}

/** A paragraph. @param {...Held} children */
export const para = (...children) => h("p", ...children);

/** Small print. @param {...Held} children */
export const note = (...children) => h("p.facts", ...children);

const LONG = 10_000; // milliseconds; a search that was compiled before is over by then
let isExplained = false;

/** Explains once why a search takes so long, if it does. @param {() => boolean} waits whether nothing has come yet */
export function explainWait(waits) {
	setTimeout(() => {
		if (isExplained || !waits()) return;
		isExplained = true;
		toast("The first search of a game is compiled before it begins; that can take a minute.");
	}, LONG);
}

/** Stands where an answer will. */
export function thinking() {
	const place = h("p.facts.wait", "Thinking …");
	explainWait(() => place.isConnected);
	return place;
}

/**
 * Follows the pointer until it is lifted.
 * @param {(event: PointerEvent) => void} move
 * @param {(event: PointerEvent) => void} end
 */
export function follow(move, end) {
	const up = (/** @type {PointerEvent} */ event) => {
		removeEventListener("pointermove", move);
		for (const name of UPS) removeEventListener(name, up);
		end(event);
	};
	addEventListener("pointermove", move);
	for (const name of UPS) addEventListener(name, up);
}

/** The cell under a pointer. @param {PointerEvent} event */
export function cellUnder(event) {
	for (const element of document.elementsFromPoint(event.clientX, event.clientY)) {
		const found = element.closest("[data-cell], [data-on]");
		if (found instanceof SVGElement) return found.dataset.cell ?? found.dataset.on ?? "";
	}
	return "";
}

/** Shows something beside a cell of a board, within the board's box. @param {HTMLElement} popup @param {string} id */
export function beside(popup, id) {
	const box = /** @type {HTMLElement} */ (popup.parentElement);
	const cell = box.querySelector(`[data-cell="${CSS.escape(id)}"]`)?.getBoundingClientRect();
	popup.hidden = false;
	if (!cell) return;
	const { x, y, width, height } = box.getBoundingClientRect();
	const left = cell.x + cell.width / 2 - x - popup.offsetWidth / 2,
		top = cell.bottom - y + 4;
	popup.style.left = `${Math.max(0, Math.min(left, width - popup.offsetWidth))}px`;
	popup.style.top = `${Math.min(top, height - popup.offsetHeight)}px`;
}

const UPS = /** @type {("pointerup" | "pointercancel")[]} */ (["pointerup", "pointercancel"]);

/** The step of an arrow key. @type {Record<string, [number, number]>} */
export const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Whether a key belongs to a field or a dialog, or to the browser. @param {KeyboardEvent} event */
export const isTaken = (event) =>
	event.ctrlKey ||
	event.metaKey ||
	event.altKey ||
	/** @type {HTMLElement} */ (event.target).closest("input, select, textarea, dialog") !== null;

let hideToast = 0;

/** Shows one line for a few seconds. @param {string} words */
export function toast(words) {
	const box = byId("toast");
	box.hidePopover();
	box.showPopover(); // above a dialog, if one is open
	box.textContent = capital(words);
	clearTimeout(hideToast);
	hideToast = window.setTimeout(() => box.hidePopover(), 5000);
}

/** A dialog that closes with Escape. @param {string} title @param {...Held} children */
export function dialog(title, ...children) {
	const box = /** @type {HTMLDialogElement} */ (byId("dialog"));
	const close = button("✕", () => box.close(), "plain close", { "aria-label": "Close" });
	put(box, h("h2", title), close, ...children);
	box.setAttribute("aria-label", title);
	if (!box.open) box.showModal();
	return box;
}

/** Text to the clipboard. @param {string} text @param {string} what */
export async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
		toast(capital(`${what} copied`));
	} catch {
		dialog(capital(what), h("textarea", { rows: 6, readonly: true, "aria-label": what }, text));
	}
}

/** A file for the visitor. @param {string} name @param {Blob} content */
export function download(name, content) {
	const link = h("a", { href: URL.createObjectURL(content), download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * A value of a search as people read it.
 * @param {number | null | undefined} value
 * @param {number | null} [end] plies to a forced end
 * @param {boolean} [draw] certainly
 */
export function valueText(value, end = null, draw = false) {
	if (typeof value !== "number") return "–";
	if (draw) return "draw";
	if (end !== null) return `${value > 0 ? "wins" : "loses"} in ${end}`;
	const places = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
	return (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(places);
}

/** A share as a percentage. @param {number | null | undefined} share @param {number} [places] */
export const percent = (share, places = 0) =>
	typeof share !== "number" ? "–" : `${(100 * share).toFixed(places)} %`;

/** A change of a chance, with its sign. @param {number} change */
export const gain = (change) => `${change < 0 ? "−" : "+"}${percent(Math.abs(change))}`;

/** How strong an opponent is. @param {Strength | null | undefined} strength */
export const eloText = (strength) =>
	!strength
		? ""
		: strength.error
			? `Elo ${strength.elo} ± ${strength.error}`
			: `Elo ${strength.elo}`;

/** The first letter large. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** A sign for a player: round for the first, square for the second. @param {number} player */
export function sign(player) {
	const shape =
		player === 0
			? s("circle", { cx: 8, cy: 8, r: 6.5 })
			: s("rect", { x: 2, y: 2, width: 12, height: 12, rx: 3.5 });
	return s("svg", { class: `sign p${player}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, shape);
}
