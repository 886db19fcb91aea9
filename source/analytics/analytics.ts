import {type FailureOutcome, isFailure, toFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {getOutcome} from '../service/outcome.ts';
import {createDatasets, type Datasets} from './datasets.ts';
import {
	type AnalyticsProblem,
	classifyQueryError,
	type Data,
	type QueryRunner,
	type ReadResult,
	toProblem,
} from './problem.ts';

/**
 * How long no queries are sent, in milliseconds: after a used-up quota (`budget`), and after failed retries
 * (`outage`). A read has several queries; during the pause, its others fail at once instead of being retried.
 */
const pauseMs = {budget: 300_000, outage: 1000};

const outageOutcomes: ReadonlySet<FailureOutcome | undefined> = new Set(['failed', 'no answer', 'not sent']);

export type Analytics = {
	readonly runQuery: QueryRunner;
	readonly datasets: Datasets;
	/** Milliseconds since the epoch. */
	now(): number;
};

const analyticsByClient = new WeakMap<Client, Analytics>();

/** Returns the analytics of a client; knowledge about datasets lives as long as the client. */
export function getAnalytics(client: Client): Analytics {
	const cached = analyticsByClient.get(client);
	if (cached) return cached;
	const ask = createQueryRunner(client);
	const analytics = {runQuery: ask, datasets: createDatasets(ask), now: client.clock.now};
	analyticsByClient.set(client, analytics);
	return analytics;
}

function createQueryRunner(client: Client): QueryRunner {
	let activePause: {readonly until: number; readonly problem: AnalyticsProblem} | undefined;

	return async (query, signal) => {
		if (activePause && client.clock.elapsed() < activePause.until)
			return {value: undefined, problems: [activePause.problem]};
		const read = await sendQuery(client, query, signal);
		const [problem] = read.problems.filter(one => getPauseMs(one) > 0);
		activePause = problem && {
			until: client.clock.elapsed() + getPauseMs(problem) * client.clock.scale,
			problem,
		};
		return read;
	};
}

/** Returns how long to send no queries after a problem, in milliseconds. */
function getPauseMs({kind, failure}: AnalyticsProblem): number {
	if (kind === 'no budget') return pauseMs.budget;
	return failure && outageOutcomes.has(getOutcome(failure)) ? pauseMs.outage : 0;
}

async function sendQuery(client: Client, query: string, signal: AbortSignal): Promise<ReadResult<Data>> {
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
		return {value: data, problems: errors.map(error => classifyQueryError(error, status))};
	} catch (error) {
		if (signal.aborted || isFailure(error, 'interrupted')) throw error;
		return {value: undefined, problems: [toProblem(toFailure(error))]};
	}
}
