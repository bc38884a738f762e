// @ts-check
// The way between pages: every state has an address after the "#".

import { byId, capital, dialog, h, page as fill, para, said, table } from "./dom.js";
import { chooser, home } from "./home.js";

/** @type {(() => void) | null} */
let leave = null;
let visit = 0;

async function route() {
	const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
	const [page, ...rest] = path.split("/").map(decodeURIComponent);
	const given = new URLSearchParams(query ?? "");
	const now = ++visit;
	leave?.();
	leave = null;
	/** @type {HTMLDialogElement} */ (byId("dialog")).close();
	const main = byId("main");
	for (const link of document.querySelectorAll("nav a")) {
		const name = /** @type {HTMLElement} */ (link).dataset.page;
		const here = name === (page || "play") || (name === "play" && ["table", "new"].includes(page));
		link.ariaCurrent = here ? "page" : null;
	}
	try {
		const ending = await shown(main, page, rest, given);
		if (now !== visit) ending?.();
		else leave = ending ?? null;
	} catch (error) {
		if (now === visit) {
			fill(
				main,
				"That did not work",
				para(capital(said(error))),
				para(h("a.button", { href: "#/" }, "To the games")),
			);
		}
	}
	main.dataset.ready = String(now);
}

/**
 * Shows a page; gives what ends it.
 * @param {HTMLElement} main
 * @param {string} page
 * @param {string[]} rest
 * @param {URLSearchParams} given
 */
async function shown(main, page, rest, given) {
	document.title = page ? `Petteia – ${page}` : "Petteia";
	if (page === "") return home(main);
	if (page === "new") return chooser(main, given);
	if (page === "table") return (await import("./table.js")).tablePage(main, given, rest[0] ?? "");
	if (page === "analyse") return (await import("./analyse.js")).analysePage(main, given);
	if (page === "measure") return (await import("./measure.js")).measurePage(main, given, rest);
	if (page === "studies") return (await import("./measure.js")).studiesPage(main);
	if (page === "flow") return (await import("./flow.js")).flowPage(main, given);
	throw new Error(`There is no page “${page}”.`);
}

/** Light or dark as the screen is, until the visitor chooses. */
function theme() {
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const root = document.documentElement;
	const set = () =>
		(root.dataset.theme = localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light"));
	set();
	dark.addEventListener("change", set);
	byId("theme").addEventListener("click", () => {
		localStorage.setItem("theme", root.dataset.theme === "dark" ? "light" : "dark");
		set();
	});
}

function help() {
	const keys = [
		["← →", "one move back or forward"],
		["Home End", "to the start, to the end"],
		["Tab, then arrows", "walk over the board; Enter chooses"],
		["h", "hint"],
		["u r", "undo, redo"],
		["f", "flip the board"],
	];
	dialog(
		"Help",
		para("Click a piece, then where it goes, or drag it. Moves can also be typed."),
		table(
			[],
			keys.map(([key, words]) => [h("kbd", key), words]),
			"keys",
		),
		para(
			"Chances of winning are estimates: one curve for each evaluation, fitted to quick games. ",
			"Forced wins and losses, and solved positions, are exact.",
		),
	);
}

theme();
byId("help").addEventListener("click", help);
addEventListener("hashchange", route);
route();
