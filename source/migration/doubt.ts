import {asFailure, type Failure, isFailure} from '../failure.ts';
import type {Driving} from './driving.ts';
import type {FlowWork} from './flow.ts';
import type {MigrationRecord} from './record.ts';
import type {InTurn} from './turns.ts';
import {mayPass} from './watching.ts';

/** Milliseconds that what is there is looked at, at least, before a PUT counts as not taken (decision 36). */
export const lookingTime = 5 * 60_000;
const firstWait = 1_000;
const longestWait = 15_000;

export const isInDoubt = ({state}: MigrationRecord): boolean =>
	state === 'validation in doubt' || state === 'deploy in doubt';

/**
 * Looks for what became of a PUT whose answer is lost. What is still not there after five minutes was not taken; that
 * is only said after a reading at the end of that time. Nothing is sent, whatever comes of it.
 */
export async function settle(driving: Driving, inTurn: InTurn, work: FlowWork): Promise<MigrationRecord> {
	const {pace} = driving.parts.client;
	const until = pace.now() + lookingTime * pace.scale;
	const look = () => inTurn(() => driving.look(work));
	try {
		for (let wait = firstWait; isInDoubt(driving.record); wait = Math.min(wait * 2, longestWait)) {
			work.onStep?.({does: 'looking', until});
			const isLast = pace.now() >= until;
			try {
				await look();
				if (isInDoubt(driving.record) && isLast) await inTurn(() => giveUp(driving));
			} catch (error) {
				if (isLast || !mayPass(error)) throw error;
			}
			if (isInDoubt(driving.record)) await pace.wait(wait * pace.scale, work.signal);
		}
		// Whether it was refused or never came: the zone's own state says what comes next.
		if (driving.record.state === 'not taken') await look();
		return driving.record;
	} catch (error) {
		throw isInDoubt(driving.record) ? unsettled(asFailure(error)) : error;
	}
}

async function giveUp(driving: Driving): Promise<void> {
	const {put} = driving.record;
	// Another reading may have come between.
	if (!isInDoubt(driving.record)) return;
	await driving.takeAnyway('give up', {put: put && {...put, came: 'given up'}});
}

const unsettled = (failure: Failure): Failure =>
	failure.with({
		doubtful: true,
		left: 'The answer to the last PUT is lost, and it is not known whether the service took it. Nothing is sent again by itself.',
		next: `${isFailure(failure, 'interrupted') ? 'Go on' : 'Then go on'} with \`ledge migration resume\`: it looks for what is there.`,
	});
