// @ts-check
// Measuring: series begun here and watched live, what the store holds, agents compared, studies.

import { address, ask, game as findGame, games, lineAddress, listen, playerBy } from "./api.js";
import { Board, colours } from "./board.js";
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
	select,
	table,
	toast,
} from "./dom.js";
import { crossTable, overTime, ratingPlot, scoreLine, searchPlot, testBar } from "./plots.js";

export async function measurePage(main, given, rest) {
	if (rest[0] === "job") return jobPage(main, rest[1]);
	if (rest[0] === "series") return seriesPage(main, rest[1]);
	if (rest[0] === "compare") return comparePage(main, given);
	return overview(main, given);
}

/** Begins a job and goes to its page. @param {string} path */
const begin = (path, body) =>
	attempt(async () => (location.hash = `#/measure/job/${(await ask(path, body)).id}`));

const all = () => h("a", { href: "#/measure" }, "All measuring");
const chance = () => Math.floor(Math.random() * 1e6);
const spread = (known) =>
	`${percent(known.score, 1)}, 95 % interval ${percent(known.interval[0], 1)} to ${percent(known.interval[1], 1)}`;

// --- the overview ---

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

/** What runs, what was stopped and can go on, what was found. */
const jobList = (jobs) =>
	jobs.length
		? h(
				"ul.plain-list",
				jobs
					.slice(0, 8)
					.map((job) =>
						h("li", h("a", { href: `#/measure/job/${job.id}` }, title(job)), ` ${job.state}`),
					),
			)
		: null;

function title(job) {
	const options = job.options;
	if (options.kind === "tune") return `Tuning: ${options.agents[0]}`;
	if (options.kind === "study") return `Study: ${options.name}`;
	return `${capital(options.game.split("(")[0])}: ${options.kind === "match" ? options.agents.join(" – ") : `a tournament of ${options.agents.length}`}`;
}

/** A field for an agent, with the ladder of a game as proposals. @param {string} label @param {string} name @param {string} value */
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
			(value) => chosen(known.find((each) => each.spec === value)?.game, value),
			{ name: "game" },
		),
	);
}

/** A form that begins a job. @param {string} name @param {string} path @param {(form: any) => any} body @param {...any} fields */
function jobForm(name, path, body, ...fields) {
	return h(
		"form.card",
		{
			onsubmit: (event) => {
				event.preventDefault();
				begin(path, body(Object.fromEntries(new FormData(event.target))));
			},
		},
		h("h2", `A ${name}`),
		...fields,
		h("button.primary", `Begin the ${name}`),
	);
}

const countField = (label, name, value, most, least = 1) =>
	h("label", label, h("input", { name, type: "number", min: least, max: most, value }));

function matchForm(list, given, first) {
	const fields = h("div");
	const draw = (game) =>
		put(
			fields,
			agentField("First agent", "a", given.get("a") || game.levels[2]?.agent || "random", game),
			agentField("Second agent", "b", given.get("b") || game.levels[1]?.agent || "random", game),
		);
	draw(first);
	return jobForm(
		"match",
		"/api/matches",
		(form) => ({
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

function tournamentForm(list) {
	const box = h("textarea", {
		name: "agents",
		rows: 6,
		spellcheck: "false",
		"aria-label": "agents, one a line",
	});
	const draw = (game) =>
		(box.value = game.levels
			.slice(0, -1)
			.map((each) => each.agent)
			.join("\n"));
	draw(list[0]);
	return jobForm(
		"tournament",
		"/api/tournaments",
		(form) => ({
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

function tuneForm(list) {
	const able = list.filter((game) =>
		game.evaluations.some((each) => Object.keys(each.weights).length),
	);
	if (!able.length) return null;
	const fields = h("div");
	const draw = (game) =>
		put(
			fields,
			agentField("Agent whose weights are tuned", "agent", game.tuned, game),
			agentField("Against", "against", game.tuned, game),
		);
	draw(able[0]);
	return jobForm(
		"tuning",
		"/api/tunings",
		(form) => ({ ...form, budget: Number(form.budget) }),
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
	return h(
		"section",
		h("h2", "What was played"),
		h(
			"form.filter",
			{
				onsubmit: (event) => {
					event.preventDefault();
					location.hash = address("measure", {
						agent: String(new FormData(event.target).get("agent")),
					});
				},
			},
			h("input", {
				name: "agent",
				value: given.get("agent") ?? "",
				placeholder: "only series with this agent",
				"aria-label": "filter by agent",
			}),
		),
		para(
			h(
				"a.button",
				{ href: address("measure/compare", { game: series[0]?.game }) },
				"Compare agents",
			),
		),
		rows.length
			? scrolled(
					"series",
					table(
						[
							"series",
							"game",
							"first agent",
							"second agent",
							"games",
							"score",
							"95 % interval",
							"state",
						],
						rows,
						"store",
					),
				)
			: h("p.quiet", "Nothing yet. Begin a match above: two agents, twenty pairs, a minute."),
	);
}

// --- agents compared ---

async function comparePage(main, given) {
	const list = (await games()).games;
	const game = await findGame(given.get("game") || list[0].spec);
	const found = await ask(`/api/standings?game=${encodeURIComponent(game.spec)}`);
	const go = (_, spec) => (location.hash = address("measure/compare", { game: spec }));
	const pick = (name, i) =>
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
						"By all games of this store: ratings of the largest likelihood, and who scored what against whom.",
					),
					ratingPlot(found.ratings),
					crossTable(found.agents, found.table),
					h(
						"p.card-tools",
						...pair,
						button(
							"A match of these two",
							() =>
								(location.hash = address("measure", {
									game: game.spec,
									a: pair[0].value,
									b: pair[1].value,
								})),
						),
					),
				)
			: h("p.quiet", "No two agents have met in this game yet."),
		para(all()),
	);
}

// --- studies ---

export async function studiesPage(main) {
	const [{ studies }, { jobs }] = await Promise.all([ask("/api/studies"), ask("/api/jobs")]);
	page(
		main,
		"Studies",
		para(
			"The experiments of published reports, played again. A quick run takes a minute or so, a full one up to hours; either can be stopped and goes on where it was.",
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
							button(name, () => begin("/api/studies", { name: study.name, quick: !i }), "", {
								"aria-label": `${name}: ${study.title}`,
							}),
						),
					),
				),
			),
		),
	);
}

// --- one job, live ---

async function jobPage(main, id) {
	const first = await ask(`/api/jobs/${id}`);
	const state = h("p.status");
	const bar = h("progress", { max: 1, value: 0, "aria-label": "progress" });
	const facts = h("div");
	const sample = h("div.sample");
	const tools = h("p.card-tools");
	page(main, title(first), state, bar, tools, h("div.columns.wide", facts, sample));
	let shown = "",
		replay = 0;

	const take = async (job) => {
		const { news, result } = job;
		const left = news.left && job.state === "running" ? `, about ${duration(news.left)} left` : "";
		state.textContent = `${capital(job.state)}${news.total ? `: ${news.done} of ${news.total} ${job.options.kind === "tune" ? "games" : "pairs"}${left}` : ""}${job.problem ? `. ${job.problem}` : ""}`;
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
				button("Go on", () => begin(`/api/jobs/${id}/resume`, {}), "primary"),
			job.report &&
				h(
					"a.button.primary",
					{ href: `/api/jobs/${id}/report`, target: "_blank" },
					"Read the report",
				),
			all(),
		);
		const known = result ?? news.facts;
		if (known)
			put(
				facts,
				known.tuning
					? tuneFacts(known)
					: known.ratings
						? tournamentFacts(known)
						: known.experiments
							? studyFacts(known)
							: matchFacts(known),
			);
		const words = JSON.stringify(news.sample ?? "");
		if (news.sample && !replay && words !== shown) {
			shown = words;
			replay = 1;
			await show(news.sample);
			replay = 0;
		}
	};

	/** Plays a sample game again, quickly. */
	async function show(game) {
		const about = await findGame(game.game);
		const board = new Board({ names: about.names, still: true });
		put(
			sample,
			h("h2", "A game of this series"),
			note(game.players.join(" – ")),
			h("div", { ...colours(about.names) }, board.element),
			para(h("a", { href: lineAddress("analyse", game) }, "Look at it closely")),
		);
		const step = Math.max(1, Math.ceil(game.moves.length / 8));
		for (let at = 0; at <= game.moves.length && sample.isConnected; at += step) {
			const end = at + step > game.moves.length ? game.moves.length : at;
			const state = await ask("/api/line", {
				game: game.game,
				start: game.start,
				moves: game.moves.slice(0, end),
			});
			board.show(state.view, {});
			board.asPicture();
			await new Promise((done) => setTimeout(done, 350));
		}
	}

	await take(first);
	return listen(
		{ do: "measure", job: id },
		{ part: take, error: (problem) => toast(problem) },
		true,
	);
}

function matchFacts(facts) {
	const elo = facts.elo;
	const number = (value) => (typeof value === "number" ? value.toFixed(0) : "∞");
	return h(
		"div",
		table(
			[],
			[
				["games", facts.games],
				["wins, draws, losses", `${facts.wins}, ${facts.draws}, ${facts.losses}`],
				["score of the first", spread(facts)],
				elo && ["Elo difference", `${number(elo.elo)} (${number(elo.low)} to ${number(elo.high)})`],
				["first is the stronger with", percent(facts.los, 1)],
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
		facts.bounds && testBar(facts),
		scrolled(
			"costs",
			table(
				["agent", "moves", "nodes a move", "seconds a move"],
				facts.costs.map((each) => [
					each.agent,
					each.moves,
					((each.interior + each.leaves) / Math.max(1, each.moves)).toFixed(0),
					(each.seconds / Math.max(1, each.moves)).toFixed(4),
				]),
				"costs",
			),
		),
	);
}

const tournamentFacts = (facts) =>
	h("div", ratingPlot(facts.ratings), crossTable(facts.agents, facts.table));

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

function tuneFacts(facts) {
	if (!facts.weights) return h("div", para(facts.tuning), searchPlot(facts.marks ?? []));
	return h(
		"div",
		para(
			facts.better
				? "Fresh games show that the new weights are better."
				: "Fresh games do not show that the new weights are better.",
		),
		searchPlot(facts.marks ?? []),
		table(
			["weight", "start", "tuned"],
			Object.entries(facts.weights).map(([name, value]) => [
				name,
				facts.start[name],
				Number(value).toFixed(3),
			]),
		),
		para(
			`In fresh games ${spread({ score: facts.confirmed_score, interval: facts.interval })}; the start ${percent(facts.start_score, 1)}. `,
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

const duration = (seconds) =>
	seconds < 90
		? `${Math.max(1, Math.round(seconds))} s`
		: seconds < 5400
			? `${Math.round(seconds / 60)} min`
			: `${(seconds / 3600).toFixed(1)} h`;

// --- a stored series ---

async function seriesPage(main, id) {
	const series = await ask(`/api/series/${id}`);
	const open = (place) =>
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
		each.result
			? `${each.players[each.result > 0 ? 0 : 1]}${Math.abs(each.result) === 1 ? "" : ` by ${Math.abs(each.result)}`}`
			: "draw",
		each.plies,
		each.forfeit ?? "",
	]);
	page(
		main,
		`Series ${id}: ${series.agents.join(" – ")}`,
		h(
			"p.quiet",
			`${series.game}, ${series.kind}, ${series.state}, ${series.games} games of ${2 * series.pairs}, seed ${series.seed}, ${series.created.slice(0, 16).replace("T", " ")}`,
		),
		h(
			"p.card-tools",
			series.state !== "finished" &&
				series.kind !== "import" &&
				button("Go on", () => begin(`/api/series/${id}/resume`, {}), "primary"),
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
		overTime(series.list.map((each) => each.score)),
		h("h2", "Games"),
		scrolled(
			"games",
			table(["game", "first", "second", "winner", "moves", "forfeit"], rows, "store"),
		),
	);
}
