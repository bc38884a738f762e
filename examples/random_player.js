// A player in another language that knows no rules: it picks one of the legal moves it is told.
//   petteia match breakthrough 'external(command="node examples/random_player.js")' random
// The messages are described in docs/protocol.md.
"use strict";

const lines = require("node:readline").createInterface({ input: process.stdin });
const say = (line) => process.stdout.write(line + "\n");

let legal = [];

// mulberry32: the same seed gives the same move.
function random(seed) {
  let a = (seed + 0x6d2b79f5) | 0;
  a = Math.imul(a ^ (a >>> 15), a | 1);
  a ^= a + Math.imul(a ^ (a >>> 7), a | 61);
  return ((a ^ (a >>> 14)) >>> 0) / 2 ** 32;
}

function seedOf(words) {
  const word = words.find((each) => each.startsWith("seed="));
  return word ? Number(BigInt(word.slice(5)) & 0xffffffffn) : 0;
}

lines.on("line", (line) => {
  const [message, ...words] = line.trim().split(/\s+/);
  switch (message) {
    case "petteia":
      say("petteia 1");
      say("id name random player in JavaScript");
      say("ready");
      break;
    case "game":
    case "newgame":
      say("ready");
      break;
    case "legal":
      legal = words;
      break;
    case "go":
      if (legal.length === 0) say("error this player must be told the legal moves");
      else say("bestmove " + legal[Math.floor(random(seedOf(words)) * legal.length)]);
      break;
    case "quit":
      process.exit(0);
  }
});
