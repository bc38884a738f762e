// @ts-check
// The first page: every game one click away, and what was played before.

import { address, ask, gameName, games, playerName, puzzles } from "./api.js";
import { Board } from "./board.js";
import { colours } from "./figures.js";
import { attempt, button, h, para, put, recall } from "./dom.js";
import { canSearch } from "./search.js";

/** @import { Game, Listed, NewTable, Puzzle } from "./messages.js" */

const FIRST = 1; // a newcomer meets somebody easy, but not one who only drifts

/** The opponent that the visitor chose last in a game, by its place. @param {Game} game */
export function usualLevel(game) {
	const level = Number(recall("levels", game.name) ?? FIRST);
	return Math.min(game.levels.length - 1, Math.max(0, level));
}

/** Begins a game and goes to its table. @param {NewTable} options */
export async function begin(options) {
	await attempt(async () => {
		const table = await ask("/api/tables", { ...options, searches: canSearch });
		location.hash = `#/table/${table.id}`;
	});
}

/** A game that can be played at once. @param {Game} game */
function card(game) {
	const board = new Board({ names: game.names, still: true });
	board.show({ ...game.start, kind: "decision", text: "" }, {});
	board.asPicture();
	const level = game.levels[usualLevel(game)];
	const play = button(
		"Play",
		() => begin({ game: game.spec, players: ["person", level.agent] }),
		"primary",
		{ "aria-label": `Play ${game.title}`, title: `against ${level.title}: ${level.meaning}` },
	);
	return h(
		"article.card.game",
		{ ...colours(game.names) },
		h("div.card-board", board.element),
		h("h2", game.title),
		para(game.about),
		h(
			"p.card-tools",
			play,
			h("a.button.wide", { href: address("new", { game: game.spec }) }, "Opponents"),
			h("a.quiet", { href: address("rules", { game: game.spec }) }, "Rules"),
		),
	);
}

/** A puzzle. @param {Puzzle} puzzle */
function puzzleCard({ name, title, about }) {
	return h(
		"article.card.game",
		h("div.card-board", h("img", { src: `/static/puzzles/${name}/picture.svg`, alt: "" })),
		h("h2", title),
		para(about),
		h(
			"p.card-tools",
			h("a.button.primary", { href: `#/${name}`, "aria-label": `Play ${title}` }, "Play"),
			h("a.quiet", { href: address(name, { rules: 1 }) }, "Rules"),
		),
	);
}

/** The first page. @param {HTMLElement} main */
export async function home(main) {
	const [known, listed, before] = await Promise.all([games(), puzzles(), ask("/api/tables")]);
	put(
		main,
		h(
			"div.page.home",
			h("h1.unseen", "Play"),
			h(
				"p.motto",
				"Classical games against opponents of every strength: play, see why, and measure.",
			),
			unfinished(before.tables, known.games),
			h("div.cards.games", known.games.map(card), listed.map(puzzleCard)),
			before.tables.length ? recent(before.tables, known.games) : null,
		),
	);
}

/** What a table is called, and who plays there. @param {Listed} table @param {Game[]} known */
function called(table, known) {
	const game = known.find((each) => each.name === table.game.split("(")[0]);
	return {
		title: gameName(table.game, known),
		players: table.players.map((who) => playerName(game, who)),
	};
}

/** The way back to the last game, if it is not over. @param {Listed[]} tables @param {Game[]} known */
function unfinished(tables, known) {
	const last = tables.find((table) => table.state === "running");
	if (!last) return null;
	const { title, players } = called(last, known),
		other = players.find((who) => who !== "person");
	return h(
		"p.continue",
		h("a.button.primary", { href: `#/table/${last.id}` }, "Continue"),
		h("span", h("b", title), `${other ? ` against ${other}` : ""}: ${last.status}`),
	);
}

/** Games that were played before. @param {Listed[]} tables @param {Game[]} known */
function recent(tables, known) {
	const rows = tables.map((table) => {
		const { title, players } = called(table, known);
		const row = h(
			"li",
			{},
			h("a", { href: `#/table/${table.id}` }, title),
			` ${players.join(" – ")} · ${table.plies} moves · ${table.status} `,
			button(
				"forget",
				async () => {
					await ask(`/api/tables/${table.id}`, undefined, "DELETE");
					row.remove();
				},
				"link",
				{ "aria-label": `forget this game: ${title}` },
			),
		);
		return row;
	});
	return h("section.recent", h("h2", "Your games"), h("ul", rows));
}
