import {asFailure, Failure, isFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {isOutcomeUnknown} from '../../service/outcome.ts';
import {advice, inZone} from '../../text/advice.ts';
import type {MigrationRecord} from '../journal/record.ts';
import type {Observation} from '../machine/stage.ts';
import {unknownInWords} from '../machine/stage-of.ts';
import {isInDoubt, isNotTaken} from '../machine/states.ts';
import type {Driving, InTurn} from './driving.ts';
import type {FlowWork} from './parts.ts';
import {mayPass} from './watching.ts';

/** Milliseconds that the zone is looked at, at least, before a PUT counts as not taken. */
const shortestLook = 5 * 60_000;
/** Milliseconds that the client waits for the answer to a PUT before it is lost. */
const longestAnswer = 30_000;
/** Readings that came back, at least: a network that was gone for five minutes has shown nothing. */
const fewestReadings = 10;
const firstWait = 1_000;
const longestWait = 15_000;

/** Whether a PUT that failed may have been done, or may still be: unless it never left, or was clearly refused. */
export const mayHaveArrived = (error: unknown): boolean =>
	!isFailure(error) || error.details.outcomeUnknown === true || isOutcomeUnknown(error);

/**
 * Returns when looking for a PUT whose answer was lost ends, at the earliest: five minutes after its answer was due, in
 * milliseconds since the epoch. It follows from when the PUT was sent, so it stays the same however often the look is resumed.
 */
function lookDeadline({put}: Pick<MigrationRecord, 'put'>, {now, scale}: Clock): number {
	const longest = (longestAnswer + shortestLook) * scale;
	// A clock that was set back does not make the wait longer.
	return Math.min(put?.at ?? now(), now()) + longest;
}

/**
 * Looks for what became of a PUT whose answer is lost. What is still not there at the deadline, and after ten readings,
 * was not taken; that is only said after a reading at the end of that time. The time is what was waited, and not that of
 * the clock: a computer that slept, or was set forward while it looked, has not looked. Where the service names a state
 * that nobody knows, it never counts as not taken: fails, and it stays in doubt. Nothing is sent, whatever comes.
 */
export async function settle(driving: Driving, inTurn: InTurn, work: FlowWork): Promise<MigrationRecord> {
	const {clock} = driving.parts.client;
	const look = () => inTurn(() => driving.look(work));
	const until = lookDeadline(driving.record, clock);
	const needed = Math.max(0, until - clock.now()) / clock.scale;
	let waited = 0;
	let readings = 0;
	let failed = 0;
	try {
		for (let wait = firstWait; isInDoubt(driving.record.state); wait = Math.min(wait * 2, longestWait)) {
			const left = Math.max(0, needed - waited);
			work.onStep?.({does: 'looking', until});
			try {
				const seen = await look();
				readings++;
				const isEnough = left === 0 && readings >= fewestReadings;
				if (isInDoubt(driving.record.state) && isEnough) {
					if (seen.stage === 'unknown') throw unknownSince(seen);
					await inTurn(() => giveUp(driving));
				}
			} catch (error) {
				failed++;
				if ((left === 0 && failed >= fewestReadings) || !mayPass(error)) throw error;
			}
			if (isInDoubt(driving.record.state)) await clock.wait(wait * clock.scale, work.signal);
			waited += wait;
		}
		// Whether it was refused or never came: the zone's own state decides what comes next.
		if (isNotTaken(driving.record.state)) await look();
		return driving.record;
	} catch (error) {
		throw isInDoubt(driving.record.state) ? unsettled(asFailure(error)) : error;
	}
}

const unknownSince = ({check, status}: Observation): Failure =>
	new Failure('service_failed', 'What became of the PUT is not known yet.', {
		why: unknownInWords(check, status),
	});

async function giveUp(driving: Driving): Promise<void> {
	const {put} = driving.record;
	// Another reading may have come between.
	if (!isInDoubt(driving.record.state)) return;
	await driving.takeAnyway('give up', {put: put && {...put, came: 'given up'}});
}

const unsettled = (failure: Failure): Failure =>
	failure.with({
		outcomeUnknown: true,
		left: 'The answer to the last PUT is lost, and it is not known whether the service took it. Nothing is sent again by itself.',
		next: advice`${isFailure(failure, 'interrupted') ? 'Continue' : 'Then continue'} with \`${inZone('migration resume')}\`: it reads the current state.`,
	});
