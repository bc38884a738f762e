// @ts-check
// A job watched live, and a series that the store holds.

import { address, ask, game as findGame, gameName, games, lineAddress, listen } from "./api.js";
import { Board } from "./board.js";
import { colours } from "./figures.js";
import {
	attempt,
	button,
	capital,
	folded,
	h,
	note,
	page,
	para,
	percent,
	put,
	scrolled,
	table,
	toast,
} from "./dom.js";
import {
	crossTable,
	overTime,
	ratingPlot,
	scoreLine,
	searchPlot,
	spread,
	testBar,
	verdict,
} from "./plots.js";

/** @import { Game, Job, MatchFacts, Sample, SeriesGame, StudyFacts, TournamentFacts, TuneFacts } from "./messages.js" */

let isBeginning = false;

/** Begins a job and goes to its page; a second click meanwhile begins no other. @param {() => Promise<Job>} ask */
export async function begin(ask) {
	if (isBeginning) return;
	isBeginning = true;
	await attempt(async () => (location.hash = `#/measure/job/${(await ask()).id}`));
	isBeginning = false;
}

/** The way back. */
export const all = () => h("a", { href: "#/measure" }, "All measuring");

/** What a job measures. @param {Job} job @param {Game[]} known */
export function jobTitle({ options }, known) {
	const agents = options.agents ?? [];
	if (options.kind === "tune") return `Tuning: ${agents[0]}`;
	if (options.kind === "study") return `Study: ${options.name}`;
	const game = gameName(options.game ?? "", known);
	if (options.kind === "match") return `${game}: ${agents.join(" – ")}`;
	return `${game}: a tournament of ${agents.length}`;
}

/** How far a job is. @param {Job} job */
function progress({ state, news, options, problem }) {
	if (state === "finished") return "Finished";
	const units = { tune: "games", study: "steps" }[String(options.kind)] ?? "pairs";
	const left = news.left && state === "running" ? `, about ${duration(news.left)} left` : "";
	const done = news.total ? `: ${news.done} of ${news.total} ${units}${left}` : "";
	return `${capital(state)}${done}${problem ? `. ${problem}` : ""}`;
}

/** What was measured so far. @param {Job} job */
function found({ news, result }) {
	const known = result ?? news.facts;
	if (!known) return null;
	if ("tuning" in known) return tuneFacts(known);
	if ("ratings" in known) return tournamentFacts(known);
	if ("experiments" in known) return studyFacts(known);
	return matchFacts(known);
}

/** A job, live. @param {HTMLElement} main @param {string} id */
export async function jobPage(main, id) {
	const [first, known] = await Promise.all([ask(`/api/jobs/${id}`), games()]);
	const state = h("p.status");
	const bar = h("progress", { max: 1, value: 0, "aria-label": "progress" });
	const facts = h("div");
	const sample = h("div.sample");
	const tools = h("p.card-tools");
	page(main, jobTitle(first, known.games), state, bar, tools, h("div.columns.wide", facts, sample));
	let shown = "",
		replay = 0;

	const take = async (/** @type {Job} */ job) => {
		const { news } = job;
		state.textContent = progress(job);
		bar.max = news.total || 1;
		bar.value = job.state === "finished" ? bar.max : news.done || 0;
		bar.hidden = job.state === "finished";
		put(
			tools,
			job.mine &&
				["running", "waiting"].includes(job.state) &&
				button("Stop", () => attempt(() => ask(`/api/jobs/${id}/stop`, {}))),
			job.mine &&
				["stopped", "failed"].includes(job.state) &&
				button("Go on", () => attempt(() => ask(`/api/jobs/${id}/resume`, {})), "primary"),
			job.report &&
				h(
					"a.button.primary",
					{ href: `/api/jobs/${id}/report`, target: "_blank" },
					"Read the report",
				),
			all(),
		);
		put(facts, found(job));
		const words = JSON.stringify(news.sample ?? "");
		if (news.sample && !replay && words !== shown) {
			shown = words;
			replay = 1;
			await show(news.sample).catch(() => {}); // the page itself says that nobody answers
			replay = 0;
		}
	};

	/** Plays a sample game again, quickly. @param {Sample} game */
	async function show(game) {
		const about = await findGame(game.game);
		const board = new Board({ names: about.names, still: true });
		const draw = async (/** @type {number} */ at) => {
			const { game: spec, start, moves } = game;
			const line = { game: spec, start, moves: moves.slice(0, at) };
			board.show((await ask("/api/line", line)).view, {});
			board.asPicture();
		};
		await draw(0); // which gives the board its shape
		put(
			sample,
			h("h2", "A game of this series"),
			note(game.players.join(" – ")),
			h("div", { ...colours(about.names) }, board.element),
			para(h("a", { href: lineAddress("analyse", game) }, "Look at it closely")),
		);
		const step = Math.max(1, Math.ceil(game.moves.length / 8));
		for (let at = step; at < game.moves.length + step && sample.isConnected; at += step) {
			await new Promise((done) => setTimeout(done, 350));
			await draw(Math.min(at, game.moves.length));
		}
	}

	await take(first);
	return listen(
		{ do: "measure", job: id },
		{ part: take, error: (problem) => toast(problem) },
		true,
	);
}

/** @param {MatchFacts} facts */
function matchFacts(facts) {
	const { elo, llr, bounds, decision, hypotheses } = facts;
	const number = (/** @type {number | null} */ value) =>
		typeof value === "number" ? value.toFixed(0) : "∞";
	const [one, two] = facts.costs.map(({ agent }) => agent);
	const said = verdict(facts.interval).replace("the first", one).replace("the second", two);
	return h(
		"div",
		h("p.verdict", `After ${facts.games} games: ${said}.`),
		table(
			[],
			[
				["games", facts.games],
				["wins, draws, losses", `${facts.wins}, ${facts.draws}, ${facts.losses}`],
				["score of the first", spread(facts)],
				elo && ["Elo difference", `${number(elo.elo)} (${number(elo.low)} to ${number(elo.high)})`],
				["moves a game", facts.plies?.toFixed(1)],
				facts.forfeits && ["forfeits", facts.forfeits],
				facts.late && ["late answers", facts.late],
				facts.series && [
					"in the store as",
					h("a", { href: `#/measure/series/${facts.series}` }, `series ${facts.series}`),
				],
			],
			"facts-table",
		),
		scoreLine(facts.score, facts.interval),
		llr !== undefined &&
			bounds &&
			decision &&
			hypotheses &&
			testBar({ llr, bounds, decision, hypotheses }),
		scrolled(
			"costs",
			table(
				["agent", "moves", "nodes a move", "time a move"],
				facts.costs.map((each) => [
					each.agent,
					each.moves,
					((each.interior + each.leaves) / Math.max(1, each.moves)).toFixed(0),
					brief(each.seconds / Math.max(1, each.moves)),
				]),
				"costs",
			),
		),
	);
}

/** @param {TournamentFacts} facts */
const tournamentFacts = (facts) =>
	h("div", ratingPlot(facts.ratings), crossTable(facts.agents, facts.table));

/** @param {StudyFacts} facts */
const studyFacts = (facts) =>
	scrolled(
		"experiments",
		table(
			["experiment", "published", "games", "score", "95 % interval"],
			facts.experiments.map((each) => [
				each.title,
				each.claim,
				each.games,
				percent(each.score),
				scoreLine(each.score, each.interval),
			]),
		),
	);

/** @param {TuneFacts} facts */
function tuneFacts(facts) {
	const { weights, start, interval, confirmed_score: score } = facts;
	if (!weights || !start || !interval || score === undefined)
		return h("div", para(facts.tuning), searchPlot(facts.marks));
	return h(
		"div",
		para(
			facts.better
				? "Fresh games show that the new weights are better."
				: "Fresh games do not show that the new weights are better.",
		),
		searchPlot(facts.marks),
		table(
			["weight", "start", "tuned"],
			Object.entries(weights).map(([name, value]) => [name, start[name], Number(value).toFixed(3)]),
		),
		para(
			`In fresh games ${spread({ score, interval })}; `,
			`the start scored ${percent(facts.start_score, 1)}. `,
		),
		para(
			h(
				"a.button",
				{ href: address("new", { game: facts.game, agent: facts.agent }) },
				"Play against it",
			),
		),
		folded("The agent with these weights", h("code", facts.agent)),
	);
}

/** A short time, with its unit; who does not think takes none. @param {number} seconds */
export const brief = (seconds) =>
	!seconds
		? "–"
		: seconds < 1
			? `${Number((1000 * seconds).toPrecision(2))} ms`
			: `${seconds.toFixed(1)} s`;

/** Seconds as people say them. @param {number} seconds */
export const duration = (seconds) =>
	seconds < 90
		? `${Math.max(1, Math.round(seconds))} s`
		: seconds < 5400
			? `${Math.round(seconds / 60)} min`
			: `${(seconds / 3600).toFixed(1)} h`;

// --- a stored series ---

/** Who won, and by how much. @param {SeriesGame} game */
function winner({ result, players }) {
	if (!result) return "draw";
	const points = Math.abs(result);
	return `${players[result > 0 ? 0 : 1]}${points === 1 ? "" : ` by ${points}`}`;
}

/** A series of the store. @param {HTMLElement} main @param {string} id */
export async function seriesPage(main, id) {
	const series = await ask(`/api/series/${id}`);
	const open = (/** @type {string} */ place) =>
		attempt(async () => {
			const [number, pair, side] = place.split("/");
			location.hash = lineAddress(
				"analyse",
				await ask(`/api/series/${number}/games/${pair}/${side}`),
				{ at: 0 },
			);
		});
	const rows = series.list.map((each) => [
		button(each.place, () => open(each.place), "link"),
		each.players[0],
		each.players[1],
		winner(each),
		each.plies,
		each.forfeit ?? "",
	]);
	page(
		main,
		`Series ${id}: ${series.agents.join(" – ")}`,
		h(
			"p.quiet",
			`${series.game}, ${series.kind}, ${series.state}, `,
			`${series.games} games of ${2 * series.pairs}, seed ${series.seed}, `,
			series.created.slice(0, 16).replace("T", " "),
		),
		h(
			"p.card-tools",
			series.state !== "finished" &&
				series.kind !== "import" &&
				button("Go on", () => begin(() => ask(`/api/series/${id}/resume`, {})), "primary"),
			all(),
		),
		table(
			[],
			[
				["wins, draws, losses", `${series.wins}, ${series.draws}, ${series.losses}`],
				["score of the first", spread(series)],
			],
			"facts-table",
		),
		scoreLine(series.score, series.interval),
		overTime(series.course),
		h("h2", "Games"),
		scrolled(
			"games",
			table(["game", "first", "second", "winner", "moves", "forfeit"], rows, "store"),
		),
	);
}
