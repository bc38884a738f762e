// @ts-check
// Measuring: matches, tournaments and tunings to begin, what the store holds, agents compared,
// studies.

import { address, ask, game as findGame, games, playerBy } from "./api.js";
import { button, h, page, para, percent, put, scrolled, select, table } from "./dom.js";
import { all, begin, jobPage, jobTitle, seriesPage } from "./jobs.js";
import { crossTable, ratingPlot, scoreLine } from "./plots.js";

/**
 * @typedef {import("./messages.js").Game} Game
 * @typedef {import("./messages.js").Job} Job
 * @typedef {import("./messages.js").Series} Series
 */

/** @param {HTMLElement} main @param {URLSearchParams} given @param {string[]} rest */
export async function measurePage(main, given, rest) {
	if (rest[0] === "job") return jobPage(main, rest[1]);
	if (rest[0] === "series") return seriesPage(main, rest[1]);
	if (rest[0] === "compare") return comparePage(main, given);
	return overview(main, given);
}

const chance = () => Math.floor(Math.random() * 1e6);

// --- the overview ---

/** @param {HTMLElement} main @param {URLSearchParams} given */
async function overview(main, given) {
	const [known, jobs, kept] = await Promise.all([
		games(),
		ask("/api/jobs"),
		ask(`/api/series?limit=100&agent=${encodeURIComponent(given.get("agent") ?? "")}`),
	]);
	page(
		main,
		"Measure",
		jobList(jobs.jobs),
		h(
			"div.columns",
			matchForm(
				known.games,
				given,
				given.get("game") ? await findGame(given.get("game") ?? "") : known.games[0],
			),
			tournamentForm(known.games),
			tuneForm(known.games),
		),
		store(kept.series, given),
	);
}

/** What runs, what was stopped and can go on, what was found. @param {Job[]} jobs */
const jobList = (jobs) =>
	jobs.length
		? h(
				"ul.plain-list",
				jobs
					.slice(0, 8)
					.map((job) =>
						h("li", h("a", { href: `#/measure/job/${job.id}` }, jobTitle(job)), ` ${job.state}`),
					),
			)
		: null;

/**
 * A field for an agent, with the ladder of a game as proposals.
 * @param {string} label
 * @param {string} name
 * @param {string} value
 * @param {Game} game
 */
function agentField(label, name, value, game) {
	const id = `list-${name}`;
	const known = [
		...game.levels.map((each) => each.agent),
		...game.evaluations.map((each) => playerBy(game, each.name)),
	];
	return h(
		"label",
		label,
		h("input", { name, value, required: true, list: id, spellcheck: "false" }),
		h(
			"datalist",
			{ id },
			known.map((each) => h("option", { value: each })),
		),
	);
}

/**
 * A field for a game or a variant.
 * @param {Game[]} list
 * @param {(game: Game, spec: string) => void} chosen
 * @param {string} [spec]
 */
function gameField(list, chosen, spec = "") {
	const known = list.flatMap((game) => [
		{ spec: game.spec, name: game.title, game },
		...game.variants.map((variant) => ({
			spec: variant.spec,
			name: `${game.title}: ${variant.name}`,
			game,
		})),
	]);
	if (spec && !known.some((each) => each.spec === spec))
		known.unshift({ spec, name: spec, game: list[0] });
	return h(
		"label",
		"Game",
		select(
			"Game",
			known.map((each) => [each.spec, each.name]),
			spec,
			(value) => chosen((known.find((each) => each.spec === value) ?? known[0]).game, value),
			{ name: "game" },
		),
	);
}

/**
 * A form that begins a job.
 * @param {string} name
 * @param {(form: Record<string, string>) => Promise<Job>} ask asks the server for it
 * @param {...any} fields
 */
function jobForm(name, ask, ...fields) {
	return h(
		"form.card",
		{
			onsubmit: (/** @type {any} */ event) => {
				event.preventDefault();
				const form = /** @type {any} */ (Object.fromEntries(new FormData(event.target)));
				begin(() => ask(form));
			},
		},
		h("h2", `A ${name}`),
		...fields,
		h("button.primary", `Begin the ${name}`),
	);
}

/**
 * A field for a number.
 * @param {string} label
 * @param {string} name
 * @param {number} value
 * @param {number} most
 */
const countField = (label, name, value, most, least = 1) =>
	h("label", label, h("input", { name, type: "number", min: least, max: most, value }));

/** @param {Game[]} list @param {URLSearchParams} given @param {Game} first */
function matchForm(list, given, first) {
	const fields = h("div");
	const draw = (/** @type {Game} */ game) =>
		put(
			fields,
			agentField("First agent", "a", given.get("a") || game.levels[2]?.agent || "random", game),
			agentField("Second agent", "b", given.get("b") || game.levels[1]?.agent || "random", game),
		);
	draw(first);
	return jobForm(
		"match",
		(form) =>
			ask("/api/matches", {
				game: form.game,
				agents: [form.a, form.b],
				pairs: Number(form.pairs),
				seed: chance(),
				sprt: form.sprt ? [0, 30] : null,
			}),
		gameField(list, draw, first.spec),
		fields,
		countField("Pairs of games, sides swapped", "pairs", 20, 100000),
		h(
			"label.choice-row",
			h("input", { type: "checkbox", name: "sprt" }),
			"stop once it is clear whether the first is stronger (SPRT of 0 against 30 Elo)",
		),
	);
}

/** @param {Game[]} list */
function tournamentForm(list) {
	const box = h("textarea", {
		name: "agents",
		rows: 6,
		spellcheck: "false",
		"aria-label": "agents, one a line",
	});
	const draw = (/** @type {Game} */ game) =>
		(box.value = game.levels
			.slice(0, -1)
			.map((each) => each.agent)
			.join("\n"));
	draw(list[0]);
	return jobForm(
		"tournament",
		(form) =>
			ask("/api/tournaments", {
				game: form.game,
				agents: form.agents
					.split("\n")
					.map((line) => line.trim())
					.filter(Boolean),
				pairs: Number(form.pairs),
				seed: chance(),
			}),
		gameField(list, draw),
		h("label", "Agents, one a line", box),
		countField("Pairs a meeting", "pairs", 5, 10000),
	);
}

/** @param {Game[]} list */
function tuneForm(list) {
	const able = list.filter((game) =>
		game.evaluations.some((each) => Object.keys(each.weights).length),
	);
	if (!able.length) return null;
	const fields = h("div");
	const draw = (/** @type {Game} */ game) =>
		put(
			fields,
			agentField("Agent whose weights are tuned", "agent", game.tuned, game),
			agentField("Against", "against", game.tuned, game),
		);
	draw(able[0]);
	return jobForm(
		"tuning",
		({ game, agent, against, method, budget }) =>
			ask("/api/tunings", { game, agent, against, method, budget: Number(budget) }),
		gameField(able, draw),
		fields,
		h(
			"label",
			"Method",
			select(
				"Method",
				[
					["spsa", "SPSA: many small random steps"],
					["hillclimb", "hill climbing, as in the report"],
					["cmaes", "CMA-ES: a population that learns its shape"],
				],
				"spsa",
				() => {},
				{ name: "method" },
			),
		),
		countField("Games", "budget", 5000, 1000000, 100),
	);
}

/** What the store holds. @param {Series[]} series @param {URLSearchParams} given */
function store(series, given) {
	const rows = series.map((each) => [
		h("a", { href: `#/measure/series/${each.id}` }, each.id),
		each.game.split("(")[0],
		each.agents[0],
		each.agents[1],
		each.games,
		percent(each.score, 1),
		each.games ? scoreLine(each.score, each.interval) : "",
		`${each.kind}, ${each.state}`,
	]);
	const names = ["series", "game", "first agent", "second agent", "games", "score"];
	return h(
		"section",
		h("h2", "What was played"),
		filter(given.get("agent") ?? ""),
		para(
			h(
				"a.button",
				{ href: address("measure/compare", { game: series[0]?.game }) },
				"Compare agents",
			),
		),
		rows.length
			? scrolled("series", table([...names, "95 % interval", "state"], rows, "store"))
			: h("p.quiet", "Nothing yet. Begin a match above: twenty pairs take about a minute."),
	);
}

/** A form that shows only the series of an agent. @param {string} agent */
const filter = (agent) =>
	h(
		"form.filter",
		{
			onsubmit: (/** @type {any} */ event) => {
				event.preventDefault();
				const named = String(new FormData(event.target).get("agent"));
				location.hash = address("measure", { agent: named });
			},
		},
		h("input", {
			name: "agent",
			value: agent,
			placeholder: "only series with this agent",
			"aria-label": "filter by agent",
		}),
	);

// --- agents compared ---

/** @param {HTMLElement} main @param {URLSearchParams} given */
async function comparePage(main, given) {
	const list = (await games()).games;
	const game = await findGame(given.get("game") || list[0].spec);
	const found = await ask(`/api/standings?game=${encodeURIComponent(game.spec)}`);
	const go = (/** @type {Game} */ _, /** @type {string} */ spec) =>
		(location.hash = address("measure/compare", { game: spec }));
	const pick = (/** @type {string} */ name, /** @type {number} */ i) =>
		select(
			name,
			found.agents.map((each) => [each]),
			found.agents[i],
			() => {},
		);
	const pair = found.agents.length ? [pick("one agent", 0), pick("another agent", 1)] : [];
	page(
		main,
		"Agents compared",
		h("div.filter", gameField(list, go, game.spec)),
		found.agents.length
			? h(
					"div",
					para(
						"By all games in this store: maximum-likelihood ratings, with errors by pairs of games, ",
						"and who scored what against whom.",
					),
					ratingPlot(found.ratings),
					crossTable(found.agents, found.table),
					h(
						"p.card-tools",
						...pair,
						button("A match of these two", () => {
							const [a, b] = pair.map((each) => each.value);
							location.hash = address("measure", { game: game.spec, a, b });
						}),
					),
				)
			: h("p.quiet", "No two agents have met in this game yet."),
		para(all()),
	);
}

// --- studies ---

/** @param {HTMLElement} main */
export async function studiesPage(main) {
	const [{ studies }, { jobs }] = await Promise.all([ask("/api/studies"), ask("/api/jobs")]);
	page(
		main,
		"Studies",
		para(
			"The experiments of published reports, repeated. A quick run takes about a minute, a full ",
			"run up to several hours. Both can be stopped, and continue later.",
		),
		jobList(jobs.filter((job) => job.options.kind === "study")),
		h(
			"div.columns",
			studies.map((study) =>
				h(
					"section.card",
					h("h2", study.title),
					para(study.about),
					h(
						"p.card-tools",
						["Quick run", "Full run"].map((name, i) =>
							button(
								name,
								() => begin(() => ask("/api/studies", { name: study.name, quick: !i })),
								"",
								{ "aria-label": `${name}: ${study.title}` },
							),
						),
					),
				),
			),
		),
	);
}
