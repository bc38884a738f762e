// @ts-check
// Analysis: any position, every move with its value, what the evaluation sees, an editor.

import { address, ask, game as findGame, games, lineAddress, playerBy } from "./api.js";
import { Bench, searchFacts, tool } from "./bench.js";
import {
	announce,
	attempt,
	button,
	capital,
	complain,
	folded,
	h,
	isTaken,
	note,
	para,
	percent,
	put,
	scrolled,
	select,
	table,
	thinking,
	valueText,
} from "./dom.js";
import { shaded } from "./plots.js";
import { analyse } from "./search.js";
import { pasteDialog, shareDialog } from "./share.js";

/**
 * @typedef {import("./messages.js").Analysis} Analysis
 * @typedef {import("./messages.js").Line} Line
 * @typedef {import("./messages.js").Ranked} Ranked
 */

/** The page of an analysis. @param {HTMLElement} main @param {URLSearchParams} given */
export async function analysePage(main, given) {
	const all = (await games()).games;
	let game = await findGame(given.get("game") || all[0].spec);
	let start = given.get("start") || "start";
	/** @type {string[]} */
	let moves = (given.get("moves") || "").split(" ").filter(Boolean);
	let at = given.has("at") ? Number(given.get("at")) : moves.length;
	let agent = given.get("agent") || "";
	let seconds = Number(given.get("seconds") || 3);
	/** @type {Line} */
	let state;
	/** @type {(() => void) | null} */
	let search = null;
	let editing = false,
		brush = "",
		running = true;
	/** @type {string[]} */
	let secret = [];

	const bench = new Bench({
		names: game.names,
		home: game.home,
		marks: game.marks,
		onMove: (action) => play(action.move),
		onGo: go,
	});
	const settings = h("div.settings");
	bench.aside.append(settings);

	/** Plays a move from here; where both choose, one after the other. @param {string} text */
	function play(text) {
		if (state.kind === "simultaneous") {
			secret = [...secret, text];
			if (secret.length < 2) return draw();
			text = secret.map(word).join("|");
			secret = [];
		} else text = word(text);
		moves = [...moves.slice(0, at), text];
		at = moves.length;
		load();
	}

	/** @param {number} where */
	function go(where) {
		at = where;
		secret = [];
		load();
	}

	async function load() {
		stop();
		const line = { game: game.spec, start, moves };
		try {
			const whole = await ask("/api/line", line);
			if (at !== moves.length) {
				const here = await ask("/api/line", { ...line, moves: moves.slice(0, at) });
				state = { ...here, plies: whole.plies };
			} else state = whole;
		} catch (error) {
			if (!state) throw error;
			return complain(error);
		}
		moves = state.plies.map((ply) => ply.word);
		bench.moves(state.plies);
		draw();
		history.replaceState(null, "", here());
		if (editing) editor();
		else if (running) think();
	}

	function here() {
		return lineAddress(
			"analyse",
			{ game: game.spec, start, moves },
			{
				at: at === moves.length ? undefined : at,
				agent,
				seconds: seconds === 3 ? undefined : seconds,
			},
		);
	}

	function draw() {
		bench.board.given.onCell = editing ? paint : undefined;
		const view = state.view;
		let actions = view.actions;
		let status = view.status;
		if (state.kind === "simultaneous") {
			actions = view.choices?.[secret.length] ?? [];
			status = `${capital(game.names[secret.length])} chooses`;
		}
		bench.show(view, { actions: editing ? [] : actions, at, status });
		if (state.kind === "chance" && !editing) put(bench.buttons, outcomes());
		bench.players(["", ""], view.mover);
		tools();
	}

	/** The throws of the dice as buttons: in an analysis people choose them. */
	function outcomes() {
		return (state.view.outcomes ?? []).map((each) =>
			button(each.text, () => throwDice(each.text), "option", { title: percent(each.chance, 1) }),
		);
	}

	/** @param {string} text */
	function throwDice(text) {
		moves = [...moves.slice(0, at), `:${word(text)}`];
		at = moves.length;
		load();
	}

	// --- the search ---

	function stop() {
		search?.();
		search = null;
		bench.board.layer({});
		bench.chance(null);
		put(bench.extra);
	}

	function think() {
		if (state.over) return;
		put(bench.extra, thinking());
		search = analyse(
			{
				do: "analyse",
				game: game.spec,
				start,
				moves: moves.slice(0, at),
				seconds,
				agent: agent || null,
			},
			{
				part: (part) => tell(part, false),
				done: (done) => tell(done, true),
				error: (problem) => {
					search = null;
					put(bench.extra, note(problem));
				},
			},
		);
	}

	/** Shows what is known. @param {Analysis} found @param {boolean} done */
	function tell(found, done) {
		if (done) search = null;
		if (found.throws) put(bench.buttons); // the table of throws has them too
		const best = found.moves?.[0];
		const chance = (best ?? found.matrix ?? found).chance;
		const mover = found.mover ?? state.view.mover ?? 0;
		if (typeof chance === "number") bench.chance(mover === 0 ? chance : 1 - chance, found.exact);
		const open = bench.extra.querySelector("details")?.open ?? false;
		const facts = searchFacts(found, done);
		put(
			bench.extra,
			found.moves
				? bench.ranking(found.moves, { facts, onPick: (each) => play(each.move) })
				: note(facts),
			found.moves && found.moves.length > 3 && rest(found.moves, open),
			found.matrix && matrix(found.matrix),
			found.throws && throws(found, found.throws),
			found.evaluation && shares(found.evaluation),
		);
		if (done && best)
			announce(`Best is ${best.move}, ${valueText(best.value, best.end, best.draw)}`);
	}

	/** All moves in a table. @param {Ranked[]} ranked @param {boolean} open whether it is unfolded */
	function rest(ranked, open) {
		const chances = ranked.map((each) => each.chance ?? 0);
		const low = Math.min(...chances),
			high = Math.max(...chances);
		const box = folded(
			`All ${ranked.length} moves`,
			table(
				[],
				ranked.map((each) => {
					return [
						button(each.move, () => play(each.move), "link", {
							onpointerenter: () => bench.arrows([each]),
							onpointerleave: () => bench.arrows(ranked),
						}),
						valueText(each.value, each.end, each.draw),
						percent(each.chance, 1),
						bar(2 + (4 * ((each.chance ?? low) - low)) / (high - low || 1), "share faint"),
					];
				}),
				"all-moves",
			),
		);
		box.open = open;
		return box;
	}

	/**
	 * Before the dice are thrown: every throw, and what can be made of it.
	 * @param {Analysis} found
	 * @param {import("./messages.js").Throw[]} throws
	 */
	function throws(found, throws) {
		const name = game.names[found.mover ?? 0];
		return table(
			["throw", "comes", `${name} then`, "best move"],
			throws.map((each) => [
				button(each.throw, () => throwDice(each.throw), "link"),
				percent(each.share, 1),
				percent(each.chance, 1),
				each.best ?? "none",
			]),
			"all-moves",
			`Every throw; before it ${name} has ${percent(found.chance, 1)}`,
		);
	}

	/**
	 * What each feature adds; under the pointer, which pieces and which moves do it.
	 * @param {import("./messages.js").Shares} evaluation
	 */
	function shares({ name, value, mover, features: all }) {
		const features = all.filter((each) => each.share);
		const title = `${name}: ${valueText(value)} for ${game.names[mover]}`;
		if (!features.length) return note(title);
		const most = Math.max(...features.map((each) => Math.abs(each.share)));
		const list = table(
			[],
			features.map(({ name, share }) => [
				name.replaceAll("_", " "),
				valueText(share),
				bar(Math.abs((5 * share) / most), share < 0 ? "share less" : "share"),
			]),
		);
		for (const [i, row] of [...list.querySelectorAll("tr")].entries()) {
			row.tabIndex = 0;
			for (const name of ["pointerenter", "focus"])
				row.addEventListener(name, () =>
					bench.board.layer({ heat: features[i].pieces, marks: features[i].moves }),
				);
			for (const name of ["pointerleave", "blur"])
				row.addEventListener(name, () => bench.board.layer({}));
		}
		const box = folded(
			title,
			list,
			note(
				"Point at a feature. Rings around pieces show what they add to it, small dots what a move ",
				"there would add: solid for more, dashed for less. Features not listed add nothing here.",
			),
		);
		box.className = "shares";
		box.open = true;
		return box;
	}

	/**
	 * Where both choose: payoffs, and how often each move should be played.
	 * @param {import("./messages.js").Matrix} known
	 */
	function matrix(known) {
		const most = Math.max(...known.payoffs.flat().map(Math.abs), 1e-9);
		const size =
			known.size[0] * known.size[1] > known.rows.length * known.columns.length
				? ` of ${known.size[0]} by ${known.size[1]} moves, those played most`
				: "";
		const path = (/** @type {number} */ side, /** @type {string} */ move) =>
			state.view.choices?.[side].find((action) => action.move === move)?.path ?? [];
		const sides = [known.rows, known.columns];
		bench.board.layer({
			arrows: sides.flatMap((list, side) =>
				list
					.filter((each) => each.share > 0.02)
					.map((each) => ({
						path: path(side, each.move),
						kind: each.share > 0.3 ? "best" : "other",
						text: percent(each.share),
					})),
			),
		});
		const strategies = sides.map((list, side) =>
			table(
				[],
				list
					.filter((each) => each.share > 0.005)
					.map((each) => [each.move, percent(each.share), bar(7 * each.share, "share")]),
				"all-moves",
				`${capital(game.names[side])} should play`,
			),
		);
		return h(
			"div",
			note(`The game is worth ${valueText(known.value)} to ${game.names[0]}`),
			strategies,
			note(`Payoffs of ${game.names[0]}${size}; in the margins how often each is best played`),
			scrolled(
				"payoffs",
				table(
					[`${game.names[0]} \\ ${game.names[1]}`, "", ...known.columns.map((each) => each.move)],
					[
						["", "", ...known.columns.map((each) => percent(each.share))],
						...known.rows.map((row, i) => [
							row.move,
							percent(row.share),
							...known.payoffs[i].map((value) => shaded(value.toFixed(1), value / most)),
						]),
					],
					"matrix",
				),
			),
		);
	}

	// --- the editor ---

	/** Changes the position. @param {{cells?: Record<string, string>, mover?: number}} how */
	const change = (how) =>
		attempt(async () => {
			const position = state.view.text;
			take((await ask("/api/edit", { game: game.spec, position, ...how })).text);
		});

	/** Puts the chosen piece on a cell. @param {string} cell */
	function paint(cell) {
		// Where pieces are heaped, one more of the same comes on top.
		const same = (/** @type {string} */ letter) => letter.toLowerCase() === brush.toLowerCase();
		const standing = state.view.pieces
			.filter((piece) => game.stacks && brush && piece.cell === cell && same(piece.letter))
			.map((piece) => piece.letter.repeat(piece.count))
			.join("");
		return change({ cells: { [cell]: standing + brush } });
	}

	/** Another position to begin with. @param {string} text */
	function take(text) {
		start = text;
		moves = [];
		at = 0;
		load();
	}

	function editor() {
		const brushes = Object.entries({ "": "nothing", ...game.brushes }).map(([letter, words]) =>
			h(
				"label.choice-row",
				h("input", {
					type: "radio",
					name: "brush",
					checked: letter === brush,
					onchange: () => (brush = letter),
				}),
				words,
			),
		);
		const movers = game.simultaneous
			? []
			: game.names.map((name, side) =>
					button(`${capital(name)} to move`, () => change({ mover: side })),
				);
		put(
			bench.extra,
			h("fieldset.brushes", h("legend", "Click a cell to put there"), brushes),
			h("div.tools", movers, button("Done", edit, "primary")),
		);
	}

	function edit() {
		editing = !editing;
		load();
	}

	function paste() {
		pasteDialog(game.spec, state.view.text, async (meant) => {
			if (meant.game !== game.spec) game = await findGame(meant.game);
			start = meant.start;
			moves = meant.moves;
			at = moves.length;
			load();
		});
	}

	const share = () =>
		attempt(async () => {
			const line = { game: game.spec, start, moves: moves.slice(0, at) };
			await shareDialog(
				line,
				here(),
				para(h("a.button", { href: lineAddress("new", line) }, "Play from here")),
			);
		});

	function tools() {
		// Those who judge by an evaluation of their own, so that its shares can be looked at.
		const judges = game.evaluations
			.filter((each) => Object.keys(each.weights).length > 1)
			.map((each) => playerBy(game, each.name));
		const levels = game.levels.map((each) => each.agent).filter((each) => each !== game.analyst);
		put(
			settings,
			select(
				"game",
				all.map((each) => [each.spec, each.title]),
				all.find((each) => each.name === game.name)?.spec ?? "",
				(value) => (location.hash = address("analyse", { game: value })),
			),
			select(
				"who analyses",
				[
					["", game.analyst],
					...[...new Set([...levels, ...judges, ...(agent ? [agent] : [])])].map((each) => [each]),
				],
				agent,
				(value) => {
					agent = value;
					load();
				},
			),
			tool(running ? "Pause" : "Analyse", "Search or not", pause, "a"),
		);
		put(
			bench.tools,
			tool("Flip", "Turn the board around", () => bench.turn(), "f"),
			game.editable && !editing && tool("Edit", "Set up a position", edit),
			tool("Paste", "A position, moves or a game", paste),
			tool("Share", "Link, text, picture", share),
			tool("Start", "The first position", () => take("start")),
		);
	}

	function pause() {
		running = !running;
		load();
	}

	/** @param {KeyboardEvent} event */
	function key(event) {
		if (isTaken(event)) return;
		if (event.key === "a") pause();
		else bench.key(event);
	}

	put(main, h("h1.unseen", "Analyse"), bench.element);
	addEventListener("keydown", key);
	await load();
	return () => {
		search?.();
		removeEventListener("keydown", key);
	};
}

/** A bar of some length. @param {number} length @param {string} kind */
function bar(length, kind) {
	const element = h("span", { class: kind });
	element.style.width = `${length}rem`;
	return element;
}

/** A move as one word of a record. @param {string} text */
const word = (text) => text.replace(/[\\_|{}]/g, "\\$&").replaceAll(" ", "_");
