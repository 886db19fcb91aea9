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

/** Minimum time to observe the zone before a PUT counts as not taken, in milliseconds. */
const shortestLook = 5 * 60_000;
/** The client's timeout for the answer to a PUT, in milliseconds. */
const longestAnswer = 30_000;
/** Minimum number of successful readings: a network outage proves nothing. */
const fewestReadings = 10;
const firstWait = 1_000;
const longestWait = 15_000;

/**
 * True if a failed PUT may have taken effect or still may: unless it was never sent, or was clearly refused.
 */
export const mayHaveArrived = (error: unknown): boolean =>
	!isFailure(error) || error.details.outcomeUnknown === true || isOutcomeUnknown(error);

/**
 * Computes when observation after a lost answer may end: five minutes after the answer was due, in
 * milliseconds since the epoch. Depends on when the PUT was sent, so resuming does not extend it.
 */
function lookDeadline({put}: Pick<MigrationRecord, 'put'>, {now, scale}: Clock): number {
	const longest = (longestAnswer + shortestLook) * scale;
	// A clock that was set back does not extend the wait.
	return Math.min(put?.at ?? now(), now()) + longest;
}

/**
 * Observes the zone after a lost answer. The PUT counts as not taken if it has no effect at the deadline and
 * after ten readings, the last one at the end. Counts time spent waiting, not clock time: a computer that
 * slept has not observed. Throws if the service reports an unknown state; the outcome then stays unknown.
 * Sends nothing.
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
		// Whether it was refused or never arrived, the zone's state decides the next step.
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
	// A concurrent reading may have settled it.
	if (!isInDoubt(driving.record.state)) return;
	await driving.takeAnyway('give up', {put: put && {...put, came: 'given up'}});
}

const unsettled = (failure: Failure): Failure =>
	failure.with({
		outcomeUnknown: true,
		left: 'The answer to the last PUT is lost, and it is not known whether the service took it. Nothing is sent again by itself.',
		next: advice`${isFailure(failure, 'interrupted') ? 'Continue' : 'Then continue'} with \`${inZone('migration resume')}\`: it reads the current state.`,
	});
