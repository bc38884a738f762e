// @ts-check
// Searches of this page: in the browser where that can be, else on the server.

import { ask, listen } from "./api.js";

/**
 * @import { Known } from "./engine.js"
 * @import { Analyse, Analysis, Asked, Ears, EngineTask } from "./messages.js"
 */

/** Whether this browser can search. */
export const canSearch = typeof WebAssembly === "object" && typeof Worker === "function";

const OFTEN = 0.25; // seconds between two requests to put into words what is known
const TOLD = 5; // so many lines are shown

/** @type {Map<string, Worker>} */
const workers = new Map();

/**
 * Searches in a worker; gives what is known after every depth.
 * @param {string} purpose each has a worker of its own
 * @param {EngineTask} task
 * @param {string} of whose search it is, see engine.js
 * @param {{known: (known: Known) => void, failed: (why: string) => void}} ears
 * @returns {() => void} ends it
 */
export function searchHere(purpose, task, of, { known, failed }) {
	const worker = workers.get(purpose) ?? new Worker("/static/engine.js", { type: "module" });
	workers.set(purpose, worker);
	let isOver = false;
	/** A worker that searches hears nothing: it is ended, and the next search has a new one. */
	function stop() {
		if (isOver) return;
		isOver = true;
		worker.terminate();
		if (workers.get(purpose) === worker) workers.delete(purpose);
	}
	worker.onmessage = ({ data }) => {
		if (isOver) return;
		if (data.error) {
			stop();
			return failed(data.error);
		}
		isOver = data.done;
		known(data);
	};
	worker.onerror = (event) => {
		if (isOver) return;
		event.preventDefault();
		stop();
		failed(event.message ?? "the worker could not be started");
	};
	worker.postMessage({ task, of });
	return stop;
}

/**
 * Analyses the position at the end of a line; the news are those of the server's analysis.
 * @param {Asked<Analyse>} asked
 * @param {Ears<Analysis, Analysis>} ears
 * @returns {() => void} ends it
 */
export function analyse(asked, ears) {
	const { do: _, shares = true, ...line } = asked;
	let isOver = false;
	let stop = () => {};
	const onServer = () => {
		if (!isOver) stop = listen(asked, ears);
	};

	/** @param {EngineTask} task */
	function inBrowser(task) {
		let last = -OFTEN,
			isAsking = false;
		/** @param {Known} known */
		async function tell(known) {
			const due = known.done || (known.found.length > 0 && known.seconds - last >= OFTEN);
			if (!due || (isAsking && !known.done)) return;
			last = known.seconds;
			isAsking = true;
			try {
				const found = known.found.map((each, i) => ({
					value: each.value,
					visits: each.visits,
					line: i < TOLD ? each.line : each.line.slice(0, 1),
				}));
				const words = await ask("/api/judge", {
					...line,
					found,
					depth: known.depth,
					nodes: known.nodes,
					spent: known.seconds,
					shares: shares && known.done,
				});
				if (isOver) return;
				if (known.done) isOver = true;
				(known.done ? ears.done : ears.part)?.(words);
			} catch (error) {
				if (known.done && !isOver) ears.error?.(/** @type {Error} */ (error).message);
			} finally {
				isAsking = false;
			}
		}
		stop = searchHere("analysis", task, "analysis", { known: tell, failed: onServer });
	}

	if (!canSearch) onServer();
	else
		ask("/api/search", line).then(({ task }) => {
			if (isOver) return;
			if (task) inBrowser(task);
			else onServer();
		}, onServer);
	return () => {
		isOver = true;
		stop();
	};
}
