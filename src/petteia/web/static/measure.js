// @ts-check
// Measuring: matches, tournaments and studies begun here and watched live, and what the store holds.

import { address, ask, games, listen } from "./api.js";
import { Board, colours } from "./board.js";
import { attempt, capital, h, head, percent, put, toast } from "./dom.js";
import { crossTable, overTime, ratingPlot, scoreLine, testBar } from "./plots.js";

/** @param {HTMLElement} main @param {URLSearchParams} given @param {string[]} rest @returns {Promise<(() => void) | void>} */
export async function measurePage(main, given, rest) {
	if (rest[0] === "job") return jobPage(main, rest[1]);
	if (rest[0] === "series") return seriesPage(main, rest[1]);
	return overview(main, given);
}

// --- the overview ---

/** @param {HTMLElement} main @param {URLSearchParams} given */
async function overview(main, given) {
	const [known, jobs, studies, kept] = await Promise.all([games(), ask("/api/jobs"), ask("/api/studies"), ask(`/api/series?limit=100&agent=${encodeURIComponent(given.get("agent") ?? "")}`)]);
	const active = jobs.jobs.filter((job) => ["running", "waiting"].includes(job.state));
	put(main, h("div", { class: "page" }, h("h1", {}, "Measure"),
		active.length ? h("section", {}, h("h2", {}, "Now"), active.map((job) => h("p", {}, h("a", { href: `#/measure/job/${job.id}` }, title(job)), ` ${job.state}`))) : null,
		h("div", { class: "columns" }, matchForm(known.games, given), tournamentForm(known.games), tuneForm(known.games), studyList(studies.studies)),
		store(kept.series, given)));
}

function title(job) {
	const wish = job.wish;
	if (wish.kind === "tune") return `Tuning: ${wish.agents[0]}`;
	if (wish.kind === "study") return `Study: ${wish.name}`;
	return `${capital(wish.game.split("(")[0])}: ${wish.agents.join(" – ")}`;
}

/** A field for an agent, with the ladder of a game as proposals. @param {string} label @param {string} name @param {string} value */
function agentField(label, name, value, game) {
	const id = `list-${name}`;
	return h("label", {}, label, h("input", { name, value, required: true, list: id, spellcheck: "false" }), h("datalist", { id }, proposals(game).map((each) => h("option", { value: each }))));
}

/** @param {any} game @returns {string[]} */
function proposals(game) {
	const deep = game.agents.some((each) => each.name === "alphabeta");
	return [...game.levels.map((each) => each.agent), ...(deep ? game.evaluations.map((each) => `alphabeta(depth=3, eval=${each.name})`) : [])];
}

/** @param {any[]} list @param {(game: any) => void} chosen */
function gameField(list, chosen) {
	const all = list.flatMap((game) => [{ spec: game.spec, name: capital(game.name), game }, ...game.variants.map((variant) => ({ spec: variant.spec, name: `${capital(game.name)}: ${variant.name}`, game }))]);
	return h("label", {}, "Game", h("select", { name: "game", onchange: (event) => chosen(all[event.target.selectedIndex].game) }, all.map((each) => h("option", { value: each.spec }, each.name))));
}

/** @param {any[]} list @param {URLSearchParams} given */
function matchForm(list, given) {
	const form = h("form", { class: "card" });
	const fields = h("div", {});
	const draw = (game) => put(fields, agentField("First agent", "a", given.get("a") || game.levels.at(-2)?.agent || "random", game), agentField("Second agent", "b", given.get("b") || game.levels.at(-3)?.agent || "random", game));
	draw(list[0]);
	put(form, h("h2", {}, "A match"), gameField(list, draw), fields,
		h("label", {}, "Pairs of games, sides swapped", h("input", { name: "pairs", type: "number", min: 1, max: 100000, value: 20 })),
		h("label", { class: "choice-row" }, h("input", { type: "checkbox", name: "sprt" }), "stop when a test of 0 against 30 Elo has decided"),
		h("button", { class: "primary" }, "Begin the match"));
	return begun(form, "/api/matches", (wish) => ({ game: wish.game, agents: [wish.a, wish.b], pairs: Number(wish.pairs), seed: chance(), sprt: wish.sprt ? [0, 30] : null }));
}

/** @param {any[]} list */
function tournamentForm(list) {
	const form = h("form", { class: "card" });
	const box = h("textarea", { name: "agents", rows: 6, spellcheck: "false", "aria-label": "agents, one a line" });
	const draw = (game) => (box.value = game.levels.slice(0, -1).map((each) => each.agent).join("\n"));
	draw(list[0]);
	put(form, h("h2", {}, "A tournament"), gameField(list, draw), h("label", {}, "Agents, one a line", box),
		h("label", {}, "Pairs a meeting", h("input", { name: "pairs", type: "number", min: 1, max: 10000, value: 5 })), h("button", { class: "primary" }, "Begin the tournament"));
	return begun(form, "/api/tournaments", (wish) => ({ game: wish.game, agents: wish.agents.split("\n").map((line) => line.trim()).filter(Boolean), pairs: Number(wish.pairs), seed: chance() }));
}

const chance = () => Math.floor(Math.random() * 1e6);

/** A form that begins a job and goes to its page. @param {HTMLFormElement} form @param {string} path @param {(wish: any) => any} body */
function begun(form, path, body) {
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		attempt(async () => (location.hash = `#/measure/job/${(await ask(path, body(Object.fromEntries(new FormData(form))))).id}`));
	});
	return form;
}

function tuneForm(list) {
	const able = list.filter((game) => game.evaluations.some((each) => Object.keys(each.weights).length));
	if (!able.length) return null;
	const form = h("form", { class: "card" });
	const fields = h("div", {});
	const draw = (game) => {
		const linear = game.evaluations.find((each) => Object.keys(each.weights).length > 1) ?? game.evaluations[0];
		const start = `greedy(eval=${linear.name})`;
		put(fields, agentField("Agent, from its weights on", "agent", start, game), agentField("Against", "against", start, game));
	};
	draw(able[0]);
	put(form, h("h2", {}, "A tuning"), gameField(able, draw), fields,
		h("label", {}, "Method", h("select", { name: "method" }, ["spsa", "hillclimb", "cmaes"].map((each) => h("option", {}, each)))),
		h("label", {}, "Games", h("input", { name: "budget", type: "number", min: 100, max: 1000000, value: 5000 })), h("button", { class: "primary" }, "Begin the tuning"));
	return begun(form, "/api/tunings", (wish) => ({ ...wish, budget: Number(wish.budget) }));
}

/** @param {any[]} studies */
function studyList(studies) {
	const begin = (name, quick) => attempt(async () => (location.hash = `#/measure/job/${(await ask("/api/studies", { name, quick })).id}`));
	return h("section", { class: "card" }, h("h2", {}, "Studies"), h("p", {}, "The experiments of published reports, played again."),
		studies.map((study) => h("div", { class: "study" }, h("b", {}, study.title), h("p", {}, study.about),
			h("p", { class: "card-tools" }, h("button", { onclick: () => begin(study.name, true) }, "Quick run"), h("button", { onclick: () => begin(study.name, false) }, "Full run")))));
}

/** @param {any[]} series @param {URLSearchParams} given */
function store(series, given) {
	const rows = series.map((each) => h("tr", {}, h("td", {}, h("a", { href: `#/measure/series/${each.id}` }, each.id)), h("td", {}, each.game.split("(")[0]), h("td", {}, each.agents[0]), h("td", {}, each.agents[1]),
		h("td", {}, each.games), h("td", {}, percent(each.score, 1)), h("td", {}, each.games ? scoreLine(each.score, each.interval) : ""), h("td", {}, `${each.kind}, ${each.state}`)));
	return h("section", {}, h("h2", {}, "What was played"),
		h("form", { class: "filter", onsubmit: (event) => { event.preventDefault(); location.hash = address("measure", { agent: String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("agent")) }); } },
			h("input", { name: "agent", value: given.get("agent") ?? "", placeholder: "only with an agent that has this text", "aria-label": "filter by agent" })),
		rows.length ? h("div", { class: "scroll" }, h("table", { class: "store" }, head(["series", "game", "first agent", "second agent", "games", "score", "95 % interval", "state"]), h("tbody", {}, rows)))
			: h("p", { class: "quiet-text" }, "Nothing yet. Begin a match above: two agents, twenty pairs, a minute."));
}

// --- one job, live ---

/** @param {HTMLElement} main @param {string} id */
async function jobPage(main, id) {
	const first = await ask(`/api/jobs/${id}`);
	const state = h("p", { class: "status" });
	const bar = h("progress", { max: 1, value: 0, "aria-label": "progress" });
	const facts = h("div", {});
	const sample = h("div", { class: "sample" });
	const tools = h("p", { class: "card-tools" });
	put(main, h("div", { class: "page" }, h("h1", {}, title(first)), state, bar, tools, h("div", { class: "columns wide" }, facts, sample)));
	let shown = "", replay = 0;

	const take = async (job) => {
		const { news, result } = job;
		const left = news.left && job.state === "running" ? `, about ${duration(news.left)} left` : "";
		state.textContent = `${capital(job.state)}${news.total ? `: ${news.done} of ${news.total} ${job.wish.kind === "tune" ? "games" : "pairs"}${left}` : ""}${job.problem ? `. ${job.problem}` : ""}`;
		bar.max = news.total || 1;
		bar.value = job.state === "finished" ? bar.max : news.done || 0;
		bar.hidden = job.state === "finished";
		put(tools, ["running", "waiting"].includes(job.state) ? h("button", { onclick: () => attempt(() => ask(`/api/jobs/${id}/stop`, {})) }, "Stop") : null,
			job.state === "stopped" && (result ?? news.facts)?.series && job.wish.kind === "match" ? h("button", { onclick: () => attempt(async () => (location.hash = `#/measure/job/${(await ask(`/api/series/${(result ?? news.facts).series}/resume`, {})).id}`)) }, "Go on") : null,
			job.report ? h("a", { class: "button primary", href: `/api/jobs/${id}/report`, target: "_blank" }, "Read the report") : null, h("a", { href: "#/measure" }, "All measuring"));
		const known = result ?? news.facts;
		if (known) put(facts, known.tuning ? tuneFacts(known) : known.ratings ? tournamentFacts(known) : known.experiments ? studyFacts(known) : matchFacts(known));
		const words = JSON.stringify(news.sample ?? "");
		if (news.sample && !replay && words !== shown) {
			shown = words;
			replay = 1;
			await show(news.sample);
			replay = 0;
		}
	};

	/** Plays a sample game again, quickly. @param {any} game */
	async function show(game) {
		const { game: find } = await import("./api.js");
		const about = await find(game.game);
		const board = new Board({ names: about.names, still: true });
		put(sample, h("h2", {}, "A game of this series"), h("p", { class: "facts" }, game.players.join(" – ")), h("div", { ...colours(about.names) }, board.element),
			h("p", {}, h("a", { href: address("analyse", { game: game.game, start: game.start === "start" ? "" : game.start, moves: game.moves.join(" ") }) }, "Look at it closely")));
		const step = Math.max(1, Math.ceil(game.moves.length / 8));
		for (let at = 0; at <= game.moves.length && sample.isConnected; at += step) {
			const end = at + step > game.moves.length ? game.moves.length : at;
			const state = await ask("/api/line", { game: game.game, start: game.start, moves: game.moves.slice(0, end) });
			board.show(state.view, {});
			for (const cell of board.svg.querySelectorAll("[tabindex]")) cell.removeAttribute("tabindex");
			await new Promise((done) => setTimeout(done, 350));
		}
	}

	await take(first);
	return listen({ do: "measure", job: id }, { part: take, error: (problem) => toast(problem) }, true);
}

function matchFacts(facts) {
	const elo = facts.elo;
	const number = (value) => (typeof value === "number" ? value.toFixed(0) : "∞");
	return h("div", {}, h("table", { class: "facts-table" }, h("tbody", {},
		row("games", facts.games), row("wins, draws, losses", `${facts.wins}, ${facts.draws}, ${facts.losses}`), row("score of the first", `${percent(facts.score, 1)}, 95 % interval ${percent(facts.interval[0], 1)} to ${percent(facts.interval[1], 1)}`),
		elo ? row("Elo difference", `${number(elo.elo)} (${number(elo.low)} to ${number(elo.high)})`) : null,
		row("first is the stronger with", percent(facts.los, 1)), row("moves a game", facts.plies?.toFixed(1)), facts.forfeits ? row("forfeits", facts.forfeits) : null,
		facts.series ? h("tr", {}, h("th", { scope: "row" }, "in the store as"), h("td", {}, h("a", { href: `#/measure/series/${facts.series}` }, `series ${facts.series}`))) : null)),
	scoreLine(facts.score, facts.interval), facts.bounds ? testBar(facts) : null,
	h("table", { class: "costs" }, head(["agent", "moves", "nodes a move", "seconds a move"]), h("tbody", {}, facts.costs.map((each) => h("tr", {},
		h("th", { scope: "row" }, each.agent), h("td", {}, each.moves), h("td", {}, ((each.interior + each.leaves) / Math.max(1, each.moves)).toFixed(0)), h("td", {}, (each.seconds / Math.max(1, each.moves)).toFixed(4)))))));
}

function tournamentFacts(facts) {
	return h("div", {}, ratingPlot(facts.ratings), crossTable(facts.agents, facts.table));
}

function studyFacts(facts) {
	return h("div", {}, h("div", { class: "scroll" }, h("table", {}, head(["experiment", "published", "games", "score", "95 % interval"]),
		h("tbody", {}, facts.experiments.map((each) => h("tr", {}, h("th", { scope: "row" }, each.title), h("td", {}, each.claim), h("td", {}, each.games), h("td", {}, percent(each.score)), h("td", {}, scoreLine(each.score, each.interval))))))));
}

function tuneFacts(facts) {
	if (!facts.weights) return h("p", {}, facts.tuning);
	return h("div", {}, h("p", {}, facts.better ? "Fresh games show that the new weights are better." : "Fresh games do not show that the new weights are better."),
		h("table", {}, head(["weight", "start", "tuned"]), h("tbody", {}, Object.entries(facts.weights).map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, facts.start[name]), h("td", {}, Number(value).toFixed(3)))))),
		h("p", {}, `On fresh dice ${percent(facts.confirmed_score, 1)} (${percent(facts.interval[0], 1)} to ${percent(facts.interval[1], 1)}), the start ${percent(facts.start_score, 1)}. `, h("code", {}, facts.agent)));
}

function row(name, value) {
	return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value));
}

/** @param {number} seconds */
function duration(seconds) {
	return seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

// --- a stored series ---

/** @param {HTMLElement} main @param {string} id */
async function seriesPage(main, id) {
	const series = await ask(`/api/series/${id}`);
	const open = (place) => attempt(async () => {
		const [number, pair, side] = place.split("/");
		const game = await ask(`/api/series/${number}/games/${pair}/${side}`);
		location.hash = address("analyse", { game: game.game, start: game.start === "start" ? "" : game.start, moves: game.moves.join(" "), at: 0 });
	});
	const rows = series.list.map((each) => h("tr", {}, h("td", {}, h("button", { class: "link", onclick: () => open(each.place) }, each.place)), h("td", {}, each.players[0]), h("td", {}, each.players[1]),
		h("td", {}, each.result > 0 ? `first, ${each.result}` : each.result < 0 ? `second, ${-each.result}` : "draw"), h("td", {}, each.plies), h("td", {}, each.forfeit ?? "")));
	put(main, h("div", { class: "page" }, h("h1", {}, `Series ${id}: ${series.agents.join(" – ")}`),
		h("p", { class: "quiet-text" }, `${series.game}, ${series.kind}, ${series.state}, ${series.games} games of ${2 * series.pairs}, seed ${series.seed}, ${series.created.slice(0, 16).replace("T", " ")}`),
		h("p", { class: "card-tools" }, series.games < 2 * series.pairs && series.kind !== "import" ? h("button", { class: "primary", onclick: () => attempt(async () => (location.hash = `#/measure/job/${(await ask(`/api/series/${id}/resume`, {})).id}`)) }, "Go on") : null, h("a", { href: "#/measure" }, "All measuring")),
		h("table", { class: "facts-table" }, h("tbody", {}, row("wins, draws, losses", `${series.wins}, ${series.draws}, ${series.losses}`), row("score of the first", `${percent(series.score, 1)}, 95 % interval ${percent(series.interval[0], 1)} to ${percent(series.interval[1], 1)}`))),
		scoreLine(series.score, series.interval), overTime(series.list.map((each) => each.score)),
		h("h2", {}, "Games"), h("div", { class: "scroll" }, h("table", { class: "store" }, head(["game", "first", "second", "winner", "moves", "forfeit"]), h("tbody", {}, rows)))));
}
