import type {CallRecord} from '../../service/call.ts';
import {counted} from '../../text/figures.ts';

/** One step of a rehearsal: what was done, and the calls that were made for it (`PUT /zones/… → 200`). */
export type RehearsalStep = {readonly sentence: string; readonly calls: readonly string[]};

export type RehearsalSteps = {
	/** What is done from now on. */
	begin(sentence: string): void;
	/** A call was made: it belongs to what is done. */
	record(call: Pick<CallRecord, 'method' | 'path' | 'status' | 'failed'>): void;
	done(): readonly RehearsalStep[];
};

/** What a rehearsal did, as it does it. A call that was made several times in a step is listed once, with its number. */
export function createSteps(onStep?: (sentence: string) => void): RehearsalSteps {
	const steps: {readonly sentence: string; readonly calls: Map<string, number>}[] = [];
	return {
		begin(sentence) {
			steps.push({sentence, calls: new Map()});
			onStep?.(sentence);
		},
		record({method, path, status, failed}) {
			const calls = steps.at(-1)?.calls;
			const call = `${method} ${path} → ${status ?? failed ?? 'no answer'}`;
			calls?.set(call, (calls.get(call) ?? 0) + 1);
		},
		done: () =>
			steps.map(({sentence, calls}) => ({
				sentence,
				calls: [...calls].map(([call, times]) => (times === 1 ? call : `${call}, ${counted(times, 'time')}`)),
			})),
	};
}
