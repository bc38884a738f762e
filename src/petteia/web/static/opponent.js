// @ts-check
// The moves of an agent that this page finds in its place, where the server asks for them.

import { ask } from "./api.js";
import { searchHere } from "./search.js";

/** @import { Table } from "./messages.js" */

export class StandIn {
	/** @param {`/api/tables/${string}`} path @param {string} id of the table */
	constructor(path, id) {
		this.path = path;
		this.id = id;
		this.stop = () => {};
		this.serial = -1;
	}

	/** Finds the agent's move, if the server asks this page for it. @param {Table} state */
	async follow({ asked, own, serial }) {
		// News of one serial may come late and out of order: only a later one ends the search.
		if (serial > this.serial) this.stop();
		if (!asked || !own || this.serial >= serial) return;
		this.serial = serial;
		const answer = (/** @type {string | null} */ move) => {
			this.stop = () => {};
			ask(`${this.path}/answer`, { serial, move }).catch(() => {}); // nobody waits any more
		};
		const { task } = await ask(`${this.path}/task`).catch(() => ({ task: null }));
		if (!task || this.serial !== serial) return;
		this.stop = searchHere("opponent", task, this.id, {
			known: (known) => known.done && answer(known.found[0]?.line[0] ?? null),
			failed: () => answer(null),
		});
	}
}
