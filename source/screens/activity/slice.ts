import type {CallRecord} from '../../service/call.ts';
import type {Has} from '../../store/ledge-store.ts';
import type {Slice} from '../../store/slice.ts';
import {holding} from '../../text/smart-case.ts';
import {cursorOn, movedCursor} from '../list/list.ts';

/** Maximum number of calls kept. */
const kept = 1000;

declare module '../../store/ledge-store.ts' {
	interface LedgeState {
		readonly activity: ActivitySlice;
	}
}

type ActivitySlice = {
	/** Calls of this run, latest first. */
	readonly calls: readonly CallRecord[];
	/** Totals, including calls no longer kept. */
	readonly count: {readonly all: number; readonly failed: number};
	/** Index among the filtered calls. */
	readonly cursor: number;
	readonly filterText: string;
	record(call: CallRecord): void;
	move(by: number): void;
	filter(filter: string): void;
};

export const createActivitySlice: Slice<ActivitySlice> = (set, get) => ({
	calls: [],
	count: {all: 0, failed: 0},
	cursor: 0,
	filterText: '',
	record: call =>
		set(({calls, count: callCount, cursor: callCursor, filterText: callFilter}) => ({
			calls: [call, ...calls.slice(0, kept - 1)],
			count: {all: callCount.all + 1, failed: callCount.failed + (hasFailed(call) ? 1 : 0)},
			// // The cursor stays on its call while newer ones arrive.
			cursor:
				callCursor === 0 || !isCallOf(callFilter)(call) ? callCursor : Math.min(callCursor + 1, kept - 1),
		})),
	move: by => set({cursor: movedCursor(get().activity.cursor, by, visibleCalls(get()).length)}),
	filter(callFilter) {
		const here = selectedCall(get());
		set({filterText: callFilter});
		set({cursor: cursorOn(visibleCalls(get()), call => call === here, 0)});
	},
});

const isCallOf = (filter: string): ((call: CallRecord) => boolean) => {
	const isMatch = holding(filter);
	return ({method, path, status, failed = ''}) => [method, path, String(status ?? ''), failed].some(isMatch);
};

type Calls = Has<'activity', 'calls' | 'filterText'>;

/** Filters calls by method, path, status, or error. */
export const visibleCalls = ({activity: {calls, filterText: callFilter}}: Calls): readonly CallRecord[] =>
	callFilter === '' ? calls : calls.filter(isCallOf(callFilter));

export const selectedCall = (state: Calls & Has<'activity', 'cursor'>): CallRecord | undefined =>
	visibleCalls(state)[state.activity.cursor];

export const hasFailed = ({status}: CallRecord): boolean => status === undefined || status >= 400;
