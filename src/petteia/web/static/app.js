// @ts-check
// The way between pages: every state has an address after the "#".

import { connected, games, puzzles } from "./api.js";
import { byId, capital, dialog, h, page as fill, para, said, table } from "./dom.js";
import { home } from "./home.js";
import { obey, switches } from "./wishes.js";

/** @type {((() => void) & {follow?: (given: URLSearchParams) => boolean}) | null} what ends the page,
 *  and what shows another address in it */
let leave = null;
let shownPage = "";
let visit = 0;

/** What the address after the "#" says. */
function asked() {
	const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
	const [page, ...rest] = path.split("/").map(decodeURIComponent);
	return { page, rest, given: new URLSearchParams(query ?? "") };
}

async function route() {
	const { page, rest, given } = asked();
	if (page === shownPage && leave?.follow?.(given)) return;
	shownPage = page;
	const now = ++visit;
	leave?.();
	leave = null;
	/** @type {HTMLDialogElement} */ (byId("dialog")).close();
	mark();
	const place = fresh(byId("main"));
	try {
		const ending = await shown(place, page, rest, given);
		if (now !== visit) ending?.();
		else leave = ending ?? null;
	} catch (error) {
		// A script that did not come is not asked for again; the address has all else.
		document.addEventListener("reconnected", () => now === visit && location.reload());
		fill(
			place,
			"That did not work",
			para(capital(said(error))),
			para(h("a.button", { href: "#/" }, "To the games")),
		);
	}
}

/**
 * A place for the next page, of its own: whatever a page that was left still draws, it draws into
 * a place that is gone. The last page stays until the next one draws something.
 * @param {HTMLElement} main
 */
function fresh(main) {
	const place = h("div.place"),
		before = [...main.childNodes];
	main.append(place);
	new MutationObserver((_, self) => {
		self.disconnect();
		for (const each of before) each.remove();
	}).observe(place, { childList: true });
	return place;
}

/** Marks the page in the menu. */
function mark() {
	const { page } = asked();
	for (const link of document.querySelectorAll("nav a")) {
		const name = /** @type {HTMLElement} */ (link).dataset.page;
		const here =
			name === (page || "play") || (name === "play" && ["table", "new", "rules"].includes(page));
		link.ariaCurrent = here ? "page" : null;
	}
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
	if (page === "new") return (await import("./chooser.js")).chooser(main, given);
	if (page === "rules") return (await import("./lessons.js")).rulesPage(main, given);
	if (page === "table") return (await import("./table.js")).tablePage(main, given, rest[0] ?? "");
	if (page === "analyse") return (await import("./analyse.js")).analysePage(main, given);
	if (page === "measure") return (await import("./measure.js")).measurePage(main, given, rest);
	if (page === "ladder") return (await import("./ladder.js")).ladderPage(main);
	if (page === "studies") return (await import("./measure.js")).studiesPage(main);
	if ((await puzzles()).some(({ name }) => name === page)) return puzzlePage(main, page, given);
	throw new Error(`There is no page “${page}”.`);
}

/**
 * Shows the page of a puzzle, whose script and style come from its room.
 * @param {HTMLElement} main
 * @param {string} name
 * @param {URLSearchParams} given
 */
async function puzzlePage(main, name, given) {
	const folder = `/static/puzzles/${name}`;
	const style = h("link", { rel: "stylesheet", href: `${folder}/page.css` });
	const styled = new Promise((done) => (style.onload = style.onerror = done));
	document.head.append(style);
	const [{ page }] = await Promise.all([import(`${folder}/page.js`), styled]);
	const ending = await page(main, given);
	return () => {
		ending?.();
		style.remove();
	};
}

/** The puzzles in the menu, before the studies, which come with them: nothing has to move. */
async function menu() {
	const studies = /** @type {HTMLElement} */ (document.querySelector('nav [data-page="studies"]'));
	const known = await puzzles().finally(() => (studies.hidden = false));
	studies.before(
		...known.map(({ name, title }) => h("a", { href: `#/${name}`, "data-page": name }, title)),
	);
	mark();
}

/** The ladder in the menu, if the laboratory was started with one. */
async function showLadder() {
	const link = /** @type {HTMLElement} */ (document.querySelector('nav [data-page="ladder"]'));
	link.hidden = !(await games()).ladder;
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
		"Help and settings",
		switches(),
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
obey();
byId("help").addEventListener("click", help);
addEventListener("hashchange", route);
connected();
// A laboratory that does not answer is told of by the page itself.
showLadder().catch(() => {});
menu()
	.catch(() => {})
	.then(() => (visit ? undefined : route()));
