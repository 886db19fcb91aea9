import type {CallRecord} from '../../service/call.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {holding} from '../../text/smart-case.ts';
import {cursorOn, movedCursor} from '../shell/list.ts';

/** So many calls are kept, the latest ones. */
const kept = 1000;

export type ActivitySlice = {
	/** The calls of this run, the latest first. */
	readonly calls: readonly CallRecord[];
	/** All of them, and those that failed, also when they are no longer kept. */
	readonly callCount: {readonly all: number; readonly failed: number};
	/** Which of the calls that the filter leaves the cursor is on. */
	readonly callCursor: number;
	readonly callFilter: string;
	record(call: CallRecord): void;
	moveInCalls(by: number): void;
	filterCalls(filter: string): void;
};

export const createActivitySlice: Slice<ActivitySlice> = (set, get) => ({
	calls: [],
	callCount: {all: 0, failed: 0},
	callCursor: 0,
	callFilter: '',
	record: call =>
		set(({calls, callCount, callCursor, callFilter}) => ({
			calls: [call, ...calls.slice(0, kept - 1)],
			callCount: {all: callCount.all + 1, failed: callCount.failed + (hasFailed(call) ? 1 : 0)},
			// The cursor stays on its call while others come in before it.
			callCursor:
				callCursor === 0 || !isCallOf(callFilter)(call) ? callCursor : Math.min(callCursor + 1, kept - 1),
		})),
	moveInCalls: by => set({callCursor: movedCursor(get().callCursor, by, visibleCalls(get()).length)}),
	filterCalls(callFilter) {
		const here = selectedCall(get());
		set({callFilter});
		set({callCursor: cursorOn(visibleCalls(get()), call => call === here, 0)});
	},
});

const isCallOf = (filter: string): ((call: CallRecord) => boolean) => {
	const isMatch = holding(filter);
	return ({method, path, status, failed = ''}) => [method, path, String(status ?? ''), failed].some(isMatch);
};

type Calls = Pick<LedgeState, 'calls' | 'callFilter'>;

/** The calls that the filter leaves: by method, path, status, or why one failed. */
export const visibleCalls = ({calls, callFilter}: Calls): readonly CallRecord[] =>
	callFilter === '' ? calls : calls.filter(isCallOf(callFilter));

/** The call under the cursor. */
export const selectedCall = (state: Calls & Pick<LedgeState, 'callCursor'>): CallRecord | undefined =>
	visibleCalls(state)[state.callCursor];

export const hasFailed = ({status}: CallRecord): boolean => status === undefined || status >= 400;
