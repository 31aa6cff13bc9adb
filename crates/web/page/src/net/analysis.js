// Live analysis, by the same protocol that other programs use: what the page sees, KaTrain sees too.

import { fromGtp } from "../go/vertex.js";
import { Socket } from "./socket.js";

/** Seconds between two reports: quick enough to look alive. */
const INTERVAL = 0.15;
/** So many visits of a position are enough; the rest is for the next one. */
const MOST_VISITS = 100000;

export class Analysis {
  /** `report` is called with a node and what is known of it; `fail` with what the engine cannot do. */
  constructor(report, fail) {
    this.report = report;
    this.fail = fail;
    this.nextId = 1;
    /** Queries under way, by id: {nodes by turn, size}. */
    this.queries = new Map();
    this.live = null;
    this.socket = null;
  }

  #connect() {
    this.socket ??= new Socket("/ws/analysis", {
      hear: (message) => this.#hear(message),
      opened: () => this.queries.forEach(({ query }) => this.socket.send(query)),
    });
    return this.socket;
  }

  #ask(query, nodes, size) {
    const id = `page-${this.nextId++}`;
    const whole = {
      id,
      ...query,
      includeOwnership: true,
      includePolicy: true,
      overrideSettings: { reportAnalysisWinratesAs: "BLACK" },
    };
    this.queries.set(id, { query: whole, nodes, size, left: new Set(nodes.keys()) });
    if (this.#connect().isOpen) this.socket.send(whole);
    return id;
  }

  #stop(id) {
    if (id && this.queries.delete(id) && this.socket.isOpen)
      this.socket.send({ id: `page-${this.nextId++}`, action: "terminate", terminateId: id });
  }

  /** Looks at one position until something else is wanted. */
  watch(game, node) {
    if (this.live?.node === node) return;
    this.rest();
    const query = game.query(node);
    const turn = query.moves.length;
    const id = this.#ask(
      {
        ...query,
        analyzeTurns: [turn],
        maxVisits: MOST_VISITS,
        reportDuringSearchEvery: INTERVAL,
        firstReportDuringSearchAfter: INTERVAL / 2,
        priority: 10,
      },
      new Map([[turn, node]]),
      { width: game.width, height: game.height },
    );
    this.live = { id, node };
  }

  /** Looks at nothing any more. */
  rest() {
    this.#stop(this.live?.id);
    this.live = null;
  }

  /** Looks once at every position of a line; `done` is called when that is finished. */
  sweep(game, nodes, visits, done) {
    // Lines with set-up in the middle fall into pieces, each a query of its own.
    const pieces = new Map();
    for (const node of nodes) {
      const query = game.query(node);
      const key = JSON.stringify([query.initialStones, query.initialPlayer]);
      const piece = pieces.get(key);
      if (!piece || piece.query.moves.length < query.moves.length)
        pieces.set(key, { query, nodes: new Map([...(piece?.nodes ?? []), [query.moves.length, node]]) });
      else piece.nodes.set(query.moves.length, node);
    }
    this.sweeping = new Set();
    this.swept = done;
    for (const { query, nodes } of pieces.values()) {
      const size = { width: game.width, height: game.height };
      const turns = [...nodes.keys()];
      this.sweeping.add(this.#ask({ ...query, analyzeTurns: turns, maxVisits: visits, priority: -10 }, nodes, size));
    }
  }

  stopSweep() {
    this.sweeping?.forEach((id) => this.#stop(id));
    this.sweeping = null;
  }

  #hear(message) {
    const query = this.queries.get(message.id);
    if (message.error !== undefined) {
      this.queries.delete(message.id);
      if (query) this.fail(message.error);
      return;
    }
    const node = query?.nodes.get(message.turnNumber);
    if (!node) return;
    if (!message.isDuringSearch) {
      query.left.delete(message.turnNumber);
      if (query.left.size === 0 && message.id !== this.live?.id) {
        this.queries.delete(message.id);
        this.sweeping?.delete(message.id);
        if (this.sweeping?.size === 0) {
          this.sweeping = null;
          this.swept?.();
        }
      }
    }
    const result = read(message, query.size);
    if (!result) return;
    const known = node.analysis;
    // A glance does not replace a long look, but it may know what that did not ask for.
    if ((known?.visits ?? 0) > result.visits) node.analysis = { ...known, ownership: known.ownership ?? result.ownership, policy: known.policy ?? result.policy };
    else node.analysis = result;
    this.report(node);
  }
}

/** What the page needs of a report; everything from Black's side. */
export function read({ rootInfo, moveInfos = [], ownership, policy }, { width, height }) {
  if (!rootInfo) return null;
  const point = (name) => fromGtp(name, width, height);
  return {
    visits: rootInfo.visits,
    winRate: rootInfo.winrate,
    lead: rootInfo.scoreLead,
    ownership: ownership ?? null,
    policy: policy ?? null,
    moves: moveInfos
      .map((info) => ({
        point: point(info.move),
        visits: info.visits,
        winRate: info.winrate,
        lead: info.scoreLead,
        prior: info.prior,
        line: (info.pv ?? [info.move]).map(point),
        order: info.order,
      }))
      .sort((a, b) => a.order - b.order),
  };
}
