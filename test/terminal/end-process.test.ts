import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {endProcess} from '../../source/terminal/end-process.ts';

vi.mock('node:timers/promises', () => ({setTimeout: async () => {}}));

/** What the process does at its end, in order. */
let endActions: string[];
/** The active resources that each check finds; the last entry is used again and again. */
let activeResources: string[][];

beforeEach(() => {
	endActions = [];
	vi.spyOn(process, 'exit').mockImplementation(code => {
		endActions.push(`exit ${code}`);
		return undefined as never;
	});
	vi.spyOn(process, 'kill').mockImplementation((_pid, signal) => {
		endActions.push(`${signal}`);
		return true;
	});
	vi.spyOn(process, 'getActiveResourcesInfo').mockImplementation(() =>
		activeResources.length > 1 ? (activeResources.shift() ?? []) : (activeResources[0] ?? []),
	);
});

afterEach(() => vi.restoreAllMocks());

test('work outside threads does not delay the exit', async () => {
	activeResources = [['Timeout', 'TCPSocketWrap', 'TTYWrap']];
	await endProcess(3);
	expect(endActions).toEqual(['exit 3']);
});

test('work that ends in time is waited for', async () => {
	activeResources = [['FSReqPromise'], ['GetAddrInfoReqWrap'], []];
	await endProcess(0);
	expect(endActions).toEqual(['exit 0']);
});

test('a thread that never returns does not keep the process alive', async () => {
	activeResources = [['FSReqCallback']];
	await endProcess(0);
	expect(endActions[0]).toBe('SIGKILL');
});
