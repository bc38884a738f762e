// @ts-check
// Analysis: any position, every move with its value, what the evaluation sees, an editor.

import { matrix, rest, shares, throws } from "./analysis.js";
import { address, ask, game as findGame, games, lineAddress, playerBy, playerName } from "./api.js";
import { Bench, searchFacts, tool } from "./bench.js";
import {
	announce,
	attempt,
	button,
	capital,
	complain,
	h,
	isTaken,
	note,
	para,
	percent,
	put,
	select,
	thinking,
	valueText,
} from "./dom.js";
import { analyse } from "./search.js";
import { pasteDialog, shareDialog } from "./share.js";
import { Tree, variations } from "./tree.js";

/** @import { Analysis, Line } from "./messages.js" */

/** The page of an analysis. @param {HTMLElement} main @param {URLSearchParams} given */
export async function analysePage(main, given) {
	const all = (await games()).games;
	let game = await findGame(given.get("game") || all[0].spec);
	let start = given.get("start") || "start";
	const asked = movesOf(given);
	let tree = new Tree(game.spec, start, asked);
	let at = given.has("at") ? Number(given.get("at")) : asked.length;
	let agent = given.get("agent") || "";
	let seconds = Number(given.get("seconds") || 3);
	let count = Number(localStorage.getItem("lines") ?? 3);
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
		army: game.army,
		marks: game.marks,
		onMove: (action) => play(action.move),
		onGo: go,
	});
	const settings = h("div.settings"),
		lines = h("div");
	bench.list.after(lines);
	bench.element.classList.add("study");
	bench.aside.append(settings);

	/** Plays a move from here; where both choose, one after the other. @param {string} text */
	function play(text) {
		if (state.kind === "simultaneous") {
			secret = [...secret, text];
			if (secret.length < 2) return draw();
			text = secret.map(word).join("|");
			secret = [];
		} else text = word(text);
		step(text);
	}

	/** Adds a move, so that Back takes it back. @param {string} text */
	function step(text) {
		tree.play(at, text);
		at += 1;
		load(true);
	}

	/** @param {number} where */
	function go(where) {
		at = where;
		secret = [];
		return load();
	}

	let loads = 0,
		isNew = false;

	/** Shows the position. @param {boolean} [comesAgain] whether Back shall come here again */
	async function load(comesAgain = false) {
		stop();
		isNew ||= comesAgain;
		const number = ++loads;
		const line = { game: game.spec, start, moves: tree.words };
		try {
			const asked = [line];
			if (at !== line.moves.length) asked.push({ ...line, moves: line.moves.slice(0, at) });
			const answers = await Promise.all(asked.map((each) => ask("/api/line", each)));
			if (number !== loads) return; // somebody has gone on meanwhile
			state = { ...answers[answers.length - 1], plies: answers[0].plies };
		} catch (error) {
			if (number !== loads) return;
			if (!state) throw error;
			at = bench.at;
			return complain(error);
		}
		tree.name(state.plies.map((ply) => ply.word));
		bench.moves(state.plies);
		put(
			lines,
			variations(tree, at, {
				go: (words, where) => {
					tree.show(words);
					at = where;
					load(true);
				},
				text: (word) => word.replace(/^:/, "⚄ ").replaceAll("_", " ").replaceAll("\\", ""),
			}),
		);
		draw();
		if (isNew) history.pushState(null, "", here());
		else history.replaceState(null, "", here());
		isNew = false;
		if (editing) editor();
		else if (running) think();
	}

	function here() {
		return lineAddress(
			"analyse",
			{ game: game.spec, start, moves: tree.words },
			{
				at: at === tree.path.length ? undefined : at,
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
		step(`:${word(text)}`);
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
				moves: tree.words.slice(0, at),
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
		const best = found.moves?.[0];
		const chance = (best ?? found.matrix ?? found).chance;
		const mover = found.mover ?? state.view.mover ?? 0;
		if (typeof chance === "number") bench.chance(mover === 0 ? chance : 1 - chance, found.exact);
		const open = bench.extra.querySelector("details")?.open ?? false,
			here = { bench, game, play, throwDice };
		const facts = searchFacts(found, done);
		put(
			bench.extra,
			found.moves
				? bench.ranking(found.moves, { count, facts, onPick: (each) => play(each.move) })
				: note(facts),
			found.moves && found.moves.length > count && rest(here, found.moves, open),
			found.matrix && matrix(here, found.matrix),
			found.throws && throws(here, found, found.throws),
			found.evaluation && shares(here, found.evaluation),
		);
		if (done && best)
			announce(`Best is ${best.move}, ${valueText(best.value, best.end, best.draw)}`);
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
		tree = new Tree(game.spec, start, []);
		at = 0;
		load(true);
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
			bench.given.army = game.army;
			start = meant.start;
			tree = new Tree(game.spec, start, meant.moves);
			at = meant.moves.length;
			load(true);
		});
	}

	const share = () =>
		attempt(async () => {
			const line = { game: game.spec, start, moves: tree.words.slice(0, at) };
			await shareDialog(
				line,
				here(),
				bench.board.flip,
				para(h("a.button", { href: lineAddress("new", line) }, "Play from here")),
			);
		});

	function tools() {
		// Those who judge by an evaluation of their own, so that its shares can be looked at.
		const judges = game.evaluations
			.filter((each) => Object.keys(each.weights).length > 1)
			.map((each) => playerBy(game, each.name));
		const levels = game.levels.map((each) => each.agent).filter((each) => each !== game.analyst);
		const named = (/** @type {string} */ spec) => {
			const name = playerName(game, spec);
			return name === spec ? spec : `${name}: ${spec}`;
		};
		put(
			settings,
			select(
				"game",
				all.map((each) => [each.spec, each.title]),
				all.find((each) => each.name === game.name)?.spec ?? "",
				(value) => (location.hash = address("analyse", { game: value })),
			),
			select(
				"lines",
				[1, 2, 3, 4, 5].map((each) => [String(each), each === 1 ? "1 line" : `${each} lines`]),
				String(count),
				(value) => {
					count = Number(value);
					localStorage.setItem("lines", value);
					load();
				},
			),
			select(
				"who analyses",
				[
					["", game.analyst],
					...[...new Set([...levels, ...judges, ...(agent ? [agent] : [])])].map((each) => [
						each,
						named(each),
					]),
				],
				agent,
				(value) => {
					agent = value;
					load();
				},
				{ class: "analyst" },
			),
			tool(running ? "Engine off" : "Engine on", "Search or not", pause, "a"),
		);
		put(
			bench.tools,
			tool("Rules", "How the game is played", () => attempt(() => bench.rules(game.spec))),
			tool("Flip", "Turn the board around", () => bench.turn(), "f"),
			game.editable && !editing && tool("Edit", "Set up a position", edit),
			tool("Paste", "A position, moves or a game", paste),
			tool("Share", "Link, text, picture", share),
			tool("Start", "The first position", () => take("start")),
		);
	}

	function pause() {
		running = !running;
		if (running) return load();
		stop();
		tools();
	}

	/** @param {KeyboardEvent} event */
	function key(event) {
		if (isTaken(event)) return;
		if (event.key === "a") pause();
		else bench.key(event);
	}

	/** Shows what the address says, as after Back, without a new page. @param {URLSearchParams} now */
	function follow(now) {
		if (now.get("game") !== game.spec) return false;
		const words = movesOf(now);
		start = now.get("start") || "start";
		tree = new Tree(game.spec, start, words);
		at = now.has("at") ? Number(now.get("at")) : words.length;
		load();
		return true;
	}

	await load();
	put(main, h("h1.unseen", "Analyse"), bench.element);
	addEventListener("keydown", key);
	return Object.assign(
		() => {
			search?.();
			removeEventListener("keydown", key);
		},
		{ follow },
	);
}

/** The moves in an address. @param {URLSearchParams} given */
const movesOf = (given) => (given.get("moves") || "").split(" ").filter(Boolean);

/** A move as one word of a record. @param {string} text */
const word = (text) => text.replace(/[\\_|{}]/g, "\\$&").replaceAll(" ", "_");
