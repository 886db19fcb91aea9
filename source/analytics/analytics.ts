import {asFailure, isFailure, type Outcome} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {outcomeOf} from '../service/outcome.ts';
import {createDatasets, type Datasets} from './datasets.ts';
import {type Ask, type Data, type Problem, problemBehind, problemOf, type Read} from './problem.ts';

/**
 * Milliseconds without queries after a used-up quota, and after failed retries. A read has several queries;
 * after an outage one attempt is enough.
 */
const pauses = {budget: 300_000, outage: 1000};

const outages: ReadonlySet<Outcome | undefined> = new Set(['failed', 'no answer', 'not sent']);

export type Analytics = {
	readonly ask: Ask;
	readonly datasets: Datasets;
	/** Milliseconds since the epoch. */
	now(): number;
};

const known = new WeakMap<Client, Analytics>();

/** Returns the analytics of a client; knowledge about datasets lives as long as the client. */
export function analyticsOf(client: Client): Analytics {
	const found = known.get(client);
	if (found) return found;
	const ask = createAsk(client);
	const analytics = {ask, datasets: createDatasets(ask), now: client.clock.now};
	known.set(client, analytics);
	return analytics;
}

function createAsk(client: Client): Ask {
	let paused: {readonly until: number; readonly problem: Problem} | undefined;

	return async (query, signal) => {
		if (paused && client.clock.elapsed() < paused.until)
			return {value: undefined, problems: [paused.problem]};
		const read = await asked(client, query, signal);
		const [problem] = read.problems.filter(one => pauseOf(one) > 0);
		paused = problem && {
			until: client.clock.elapsed() + pauseOf(problem) * client.clock.scale,
			problem,
		};
		return read;
	};
}

/** Returns how long to send no queries after a problem, in milliseconds. */
function pauseOf({kind, failure}: Problem): number {
	if (kind === 'no budget') return pauses.budget;
	return failure && outages.has(outcomeOf(failure)) ? pauses.outage : 0;
}

async function asked(client: Client, query: string, signal: AbortSignal): Promise<Read<Data>> {
	try {
		const {status, data, errors} = await client.query(
			{
				method: 'POST',
				path: '/graphql',
				body: {kind: 'json', value: {query, variables: {}}},
				repeat: 'always',
				writes: false,
			},
			signal,
		);
		return {value: data, problems: errors.map(error => problemOf(error, status))};
	} catch (error) {
		if (signal.aborted || isFailure(error, 'interrupted')) throw error;
		return {value: undefined, problems: [problemBehind(asFailure(error))]};
	}
}
