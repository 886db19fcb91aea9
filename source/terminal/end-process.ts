import {setTimeout as sleep} from 'node:timers/promises';

/** Milliseconds that work in threads may take to its end, and between two looks at it. */
const patience = 2000;
const between = 20;

/**
 * Ends the process, whatever is still under way. An ending process waits for its threads, and a thread that hangs in the
 * system (a disk or a name server that is gone) never comes back: after two seconds it is ended the hard way.
 */
export async function endProcess(code: number): Promise<never> {
	for (let waited = 0; worksInThreads() && waited < patience; waited += between) await sleep(between);
	if (worksInThreads()) process.kill(process.pid, 'SIGKILL');
	return process.exit(code);
}

const worksInThreads = (): boolean =>
	process.getActiveResourcesInfo().some(name => name.startsWith('FSReq') || name.startsWith('GetAddrInfo'));
