import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {endProcess} from '../../source/terminal/end-process.ts';

vi.mock('node:timers/promises', () => ({setTimeout: async () => {}}));

/** What the process does at its end, in order. */
let ends: string[];
/** What is under way, look by look; the last one stays. */
let underWay: string[][];

beforeEach(() => {
	ends = [];
	vi.spyOn(process, 'exit').mockImplementation(code => {
		ends.push(`exit ${code}`);
		return undefined as never;
	});
	vi.spyOn(process, 'kill').mockImplementation((_pid, signal) => {
		ends.push(`${signal}`);
		return true;
	});
	vi.spyOn(process, 'getActiveResourcesInfo').mockImplementation(() =>
		underWay.length > 1 ? (underWay.shift() ?? []) : (underWay[0] ?? []),
	);
});

afterEach(() => vi.restoreAllMocks());

test('work outside threads does not delay the exit', async () => {
	underWay = [['Timeout', 'TCPSocketWrap', 'TTYWrap']];
	await endProcess(3);
	expect(ends).toEqual(['exit 3']);
});

test('work that ends in time is waited for', async () => {
	underWay = [['FSReqPromise'], ['GetAddrInfoReqWrap'], []];
	await endProcess(0);
	expect(ends).toEqual(['exit 0']);
});

test('a thread that never returns does not keep the process alive', async () => {
	underWay = [['FSReqCallback']];
	await endProcess(0);
	expect(ends[0]).toBe('SIGKILL');
});
