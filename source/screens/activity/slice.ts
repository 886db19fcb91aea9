import type {CallRecord} from '../../service/call.ts';
import type {Slice} from '../../store/slice.ts';
import {movedCursor} from '../shell/list.ts';

/** So many calls are kept, the latest ones. */
const kept = 1000;

export type ActivitySlice = {
	/** The calls of this run, the latest first. */
	readonly calls: readonly CallRecord[];
	/** All of them, and those that failed, also when they are no longer kept. */
	readonly callCount: {readonly all: number; readonly failed: number};
	/** Which of the calls the cursor is on. */
	readonly callCursor: number;
	record(call: CallRecord): void;
	moveInCalls(by: number): void;
};

export const createActivitySlice: Slice<ActivitySlice> = set => ({
	calls: [],
	callCount: {all: 0, failed: 0},
	callCursor: 0,
	record: call =>
		set(({calls, callCount, callCursor}) => ({
			calls: [call, ...calls.slice(0, kept - 1)],
			callCount: {all: callCount.all + 1, failed: callCount.failed + (hasFailed(call) ? 1 : 0)},
			// The cursor stays on its call while others come in before it.
			callCursor: callCursor === 0 ? 0 : Math.min(callCursor + 1, kept - 1),
		})),
	moveInCalls: by => set(({calls, callCursor}) => ({callCursor: movedCursor(callCursor, by, calls.length)})),
});

export const hasFailed = ({status}: CallRecord): boolean => status === undefined || status >= 400;
