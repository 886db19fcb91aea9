import {Failure, isFailure, toFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {isOutcomeUnknown} from '../../service/outcome.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import type {MigrationRecord} from '../journal/record.ts';
import type {Observation} from '../machine/stage.ts';
import {describeUnknownStage} from '../machine/stage-of.ts';
import {isInDoubt, isNotTaken} from '../machine/states.ts';
import type {MigrationDriver, RunInTurn} from './driving.ts';
import type {FlowWork} from './parts.ts';
import {isTransientFailure} from './watching.ts';

/** Minimum time to observe the zone before a PUT counts as not taken, in milliseconds. */
const minLookMs = 5 * 60_000;
/** The client's timeout for the answer to a PUT, in milliseconds. */
const answerTimeoutMs = 30_000;
/** Minimum number of successful readings: a network outage proves nothing. */
const minReadings = 10;
const firstDelayMs = 1_000;
const maxDelayMs = 15_000;

/**
 * True if a failed PUT may have taken effect or still may: unless it was never sent, or was clearly refused.
 */
export const mayHaveArrived = (error: unknown): boolean =>
	!isFailure(error) || error.details.outcomeUnknown === true || isOutcomeUnknown(error);

/**
 * Computes when observation after a lost answer may end: five minutes after the answer was due, in
 * milliseconds since the epoch. Depends on when the PUT was sent, so resuming does not extend it.
 */
function computeLookDeadline({put}: Pick<MigrationRecord, 'put'>, {now, scale}: Clock): number {
	const longest = (answerTimeoutMs + minLookMs) * scale;
	// A clock that was set back does not extend the wait.
	return Math.min(put?.at ?? now(), now()) + longest;
}

/**
 * Observes the zone after a lost answer. The PUT counts as not taken if it has no effect at the deadline and
 * after ten readings, the last one at the end. Counts time spent waiting, not clock time: a computer that
 * slept has not observed. Throws if the service reports an unknown state; the outcome then stays unknown.
 * Sends nothing.
 */
export async function settleLostPut(
	driver: MigrationDriver,
	runInTurn: RunInTurn,
	work: FlowWork,
): Promise<MigrationRecord> {
	const {clock} = driver.parts.client;
	const look = () => runInTurn(() => driver.look(work));
	const until = computeLookDeadline(driver.record, clock);
	const needed = Math.max(0, until - clock.now()) / clock.scale;
	let waited = 0;
	let readings = 0;
	let failed = 0;
	try {
		for (let wait = firstDelayMs; isInDoubt(driver.record.state); wait = Math.min(wait * 2, maxDelayMs)) {
			const remainingMs = Math.max(0, needed - waited);
			work.onStep?.({does: 'looking', until});
			try {
				const observation = await look();
				readings++;
				const isEnough = remainingMs === 0 && readings >= minReadings;
				if (isInDoubt(driver.record.state) && isEnough) {
					if (observation.stage === 'unknown') throw createUnknownStateFailure(observation);
					await runInTurn(() => abandonPut(driver));
				}
			} catch (error) {
				failed++;
				if ((remainingMs === 0 && failed >= minReadings) || !isTransientFailure(error)) throw error;
			}
			if (isInDoubt(driver.record.state)) await clock.wait(wait * clock.scale, work.signal);
			waited += wait;
		}
		// Whether it was refused or never arrived, the zone's state decides the next step.
		if (isNotTaken(driver.record.state)) await look();
		return driver.record;
	} catch (error) {
		throw isInDoubt(driver.record.state) ? withUnknownOutcome(toFailure(error)) : error;
	}
}

const createUnknownStateFailure = ({check, status}: Observation): Failure =>
	new Failure('service_failed', 'What became of the PUT is not known yet.', {
		why: describeUnknownStage(check, status),
	});

async function abandonPut(driver: MigrationDriver): Promise<void> {
	const {put} = driver.record;
	// A concurrent reading may have settled it.
	if (!isInDoubt(driver.record.state)) return;
	await driver.applyAnyway('give up', {put: put && {...put, came: 'given up'}});
}

const withUnknownOutcome = (failure: Failure): Failure =>
	failure.withDetails({
		outcomeUnknown: true,
		left: 'The answer to the last PUT is lost, and it is not known whether the service took it. Nothing is sent again by itself.',
		next: buildAdvice`${isFailure(failure, 'interrupted') ? 'Continue' : 'Then continue'} with \`${buildZoneCommand('migration resume')}\`: it reads the current state.`,
	});
