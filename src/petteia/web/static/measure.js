// @ts-check
// Measuring: matches, tournaments and tunings to begin, what the store holds, agents compared,
// studies.

import { agentPicker } from "./agents.js";
import { address, ask, game as findGame, gameName, games } from "./api.js";
import {
	attempt,
	button,
	h,
	note,
	page,
	para,
	percent,
	put,
	scrolled,
	select,
	table,
} from "./dom.js";
import { all, begin, brief, duration, jobPage, jobTitle, seriesPage } from "./jobs.js";
import { crossTable, ratingPlot, scoreLine } from "./plots.js";

/** @import { Game, Job, Series, ToEstimate } from "./messages.js" */

/** @param {HTMLElement} main @param {URLSearchParams} given @param {string[]} rest */
export async function measurePage(main, given, rest) {
	if (rest[0] === "job") return jobPage(main, rest[1]);
	if (rest[0] === "series") return seriesPage(main, rest[1]);
	if (rest[0] === "compare") return comparePage(main, given);
	return overview(main, given);
}

const CONFIRMED = 250; // pairs of fresh games after a tuning

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
		jobList(jobs.jobs, known.games),
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
		store(kept.series, given, known.games),
	);
}

/** What runs, what was stopped and can go on, what was found. @param {Job[]} jobs @param {Game[]} known */
const jobList = (jobs, known) =>
	jobs.length
		? h(
				"ul.plain-list",
				jobs
					.slice(0, 8)
					.map((job) =>
						h(
							"li",
							h("a", { href: `#/measure/job/${job.id}` }, jobTitle(job, known)),
							` ${job.state}`,
						),
					),
			)
		: null;

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
 * A form that begins a job, and tells before how long it will take.
 * @param {string} name
 * @param {(form: Record<string, string>) => Promise<Job>} ask asks the server for it
 * @param {(form: Record<string, string>) => ToEstimate} played what is played in it
 * @param {...any} fields
 */
function jobForm(name, ask, played, ...fields) {
	const cost = h("p.facts", { role: "status" });
	const given = () => /** @type {any} */ (Object.fromEntries(new FormData(form)));
	/** @type {HTMLFormElement} */
	const form = h(
		"form.card",
		{
			onsubmit: (event) => {
				event.preventDefault();
				begin(() => ask(given()));
			},
			oninput: () => put(cost),
		},
		h("h2", `A ${name}`),
		...fields,
		h(
			"p.card-tools",
			h("button.primary", `Begin the ${name}`),
			button("How long?", () => tellCost(cost, played(given())), "", {
				"aria-label": `How long will the ${name} take?`,
			}),
		),
		cost,
	);
	return form;
}

/** Says how long something will take. @param {HTMLElement} place @param {ToEstimate} played */
async function tellCost(place, played) {
	put(place, h("span.wait", "Asking the agents for a few moves …"));
	const found = await attempt(() => ask("/api/estimate", played));
	put(place);
	if (!found) return;
	const { seconds, games, moves, processors } = found;
	put(
		place,
		h("b", `About ${duration(seconds)}`),
		` for ${games} games of some ${Math.round(moves)} moves, with ${processors} at a time. A move takes `,
		found.agents.map((each) => `${each.agent} ${brief(each.seconds)}`).join(", "),
		".",
	);
}

/** A field for a number. @param {string} label @param {string} name @param {number} value @param {number} most */
const countField = (label, name, value, most, least = 1) =>
	h("label", label, h("input", { name, type: "number", min: least, max: most, value }));

/** @param {Game[]} list @param {URLSearchParams} given @param {Game} first */
function matchForm(list, given, first) {
	const fields = h("div");
	const draw = (/** @type {Game} */ game) =>
		put(
			fields,
			agentPicker("First agent", game, given.get("a") || game.levels[2]?.agent || "random", {
				name: "a",
			}),
			agentPicker("Second agent", game, given.get("b") || game.levels[1]?.agent || "random", {
				name: "b",
			}),
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
		({ game, a, b, pairs }) => ({ game, agents: [a, b], pairs: Number(pairs) }),
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
	const levels = h("div");
	const others = h("textarea", { rows: 2, spellcheck: "false" });
	const draw = (/** @type {Game} */ game) => {
		others.value = "";
		put(
			levels,
			game.levels.map(({ agent, title }, i) =>
				h(
					"label.choice-row",
					h("input", { type: "checkbox", value: agent, checked: i < game.levels.length - 1 }),
					h("span", title, " ", h("code", agent)),
				),
			),
		);
	};
	const played = (/** @type {Record<string, string>} */ { game, pairs }) => ({
		game,
		agents: [
			...[...levels.querySelectorAll("input:checked")].map((each) => each.value),
			...others.value.split("\n"),
		]
			.map((/** @type {string} */ line) => line.trim())
			.filter(Boolean),
		pairs: Number(pairs),
	});
	draw(list[0]);
	return jobForm(
		"tournament",
		(form) => ask("/api/tournaments", { ...played(form), seed: chance() }),
		played,
		gameField(list, draw),
		levels,
		h("label", "Others, one a line", others),
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
			agentPicker("Agent whose weights are tuned", game, game.tuned, { name: "agent" }),
			agentPicker("Against", game, game.tuned, { name: "against" }),
		);
	draw(able[0]);
	return jobForm(
		"tuning",
		({ game, agent, against, method, budget }) =>
			ask("/api/tunings", { game, agent, against, method, budget: Number(budget) }),
		({ game, agent, against, budget }) => ({
			game,
			agents: [agent, against],
			pairs: Math.ceil(Number(budget) / 2) + CONFIRMED,
		}),
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

/** What the store holds. @param {Series[]} series @param {URLSearchParams} given @param {Game[]} known */
function store(series, given, known) {
	const rows = series.map((each) => [
		h("a", { href: `#/measure/series/${each.id}` }, each.id),
		gameName(each.game, known),
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
			onsubmit: (event) => {
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
	const [{ studies }, { jobs }, known] = await Promise.all([
		ask("/api/studies"),
		ask("/api/jobs"),
		games(),
	]);
	page(
		main,
		"Studies",
		para(
			"The experiments of published reports, repeated. A quick run takes about a minute, a full ",
			"run up to several hours. Both can be stopped, and continue later.",
		),
		jobList(
			jobs.filter((job) => job.options.kind === "study"),
			known.games,
		),
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
