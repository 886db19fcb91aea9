import {Failure, isFailure, toFailure} from '../../failure.ts';
import type {Clock} from '../../service/clock.ts';
import {isOutcomeUnknown} from '../../service/outcome.ts';
import {buildAdvice, buildZoneCommand} from '../../text/advice.ts';
import type {MigrationRecord} from '../journal/record.ts';
import {describeUnknownStage} from '../machine/resolve-stage.ts';
import type {Observation} from '../machine/stage.ts';
import {hasUnknownOutcome, isNotAccepted} from '../machine/states.ts';
import type {FlowOptions} from './context.ts';
import type {MigrationDriver, RunInTurn} from './driver.ts';
import {isTransientFailure} from './watching.ts';

/** Minimum time to observe the zone before a PUT is presumed lost, in milliseconds. */
const minObservationMs = 5 * 60_000;
/** The client's timeout for the response to a PUT, in milliseconds. */
const responseTimeoutMs = 30_000;
/** Minimum number of successful observations: a network outage proves nothing. */
const minReadings = 10;
const firstDelayMs = 1_000;
const maxDelayMs = 15_000;

/**
 * True if a failed PUT may have taken effect, or still may. False only if it was never sent or was clearly
 * refused.
 */
export const mayHaveArrived = (error: unknown): boolean =>
	!isFailure(error) || error.details.outcomeUnknown === true || isOutcomeUnknown(error);

/**
 * Computes when the observation after a lost response may end, in milliseconds since the epoch: five minutes
 * after the response was due. This depends on when the PUT was sent, so resuming does not extend it.
 */
function computeObservationDeadline({put}: Pick<MigrationRecord, 'put'>, {now, scale}: Clock): number {
	const maxWaitMs = (responseTimeoutMs + minObservationMs) * scale;
	// A clock that was set back does not extend the wait.
	return Math.min(put?.at ?? now(), now()) + maxWaitMs;
}

/**
 * Observes the zone after a lost response. The PUT is presumed lost if it has no effect at the deadline and
 * after ten observations, the last of them at the end. Counts the time spent waiting and not clock time,
 * because a computer that slept has not observed anything. Throws if the service reports an unknown state;
 * the outcome then stays unknown. Sends nothing.
 */
export async function settleLostPut(
	driver: MigrationDriver,
	runInTurn: RunInTurn,
	options: FlowOptions,
): Promise<MigrationRecord> {
	const {clock} = driver.context.client;
	const observe = () => runInTurn(() => driver.observe(options));
	const deadline = computeObservationDeadline(driver.record, clock);
	const neededMs = Math.max(0, deadline - clock.now()) / clock.scale;
	let waitedMs = 0;
	let readingCount = 0;
	let failureCount = 0;
	try {
		for (
			let delayMs = firstDelayMs;
			hasUnknownOutcome(driver.record.state);
			delayMs = Math.min(delayMs * 2, maxDelayMs)
		) {
			const remainingMs = Math.max(0, neededMs - waitedMs);
			options.onStep?.({does: 'looking', until: deadline});
			try {
				const observation = await observe();
				readingCount++;
				const isEnough = remainingMs === 0 && readingCount >= minReadings;
				if (hasUnknownOutcome(driver.record.state) && isEnough) {
					if (observation.stage === 'unknown') throw createUnknownStateFailure(observation);
					await runInTurn(() => abandonPut(driver));
				}
			} catch (error) {
				failureCount++;
				if ((remainingMs === 0 && failureCount >= minReadings) || !isTransientFailure(error)) throw error;
			}
			if (hasUnknownOutcome(driver.record.state)) await clock.wait(delayMs * clock.scale, options.signal);
			waitedMs += delayMs;
		}
		// Whether the PUT was refused or never arrived, the state of the zone decides the next step.
		if (isNotAccepted(driver.record.state)) await observe();
		return driver.record;
	} catch (error) {
		throw hasUnknownOutcome(driver.record.state) ? withUnknownOutcome(toFailure(error)) : error;
	}
}

const createUnknownStateFailure = ({check, status}: Observation): Failure =>
	new Failure('service_failed', 'The outcome of the PUT is still unknown.', {
		why: describeUnknownStage(check, status),
	});

async function abandonPut(driver: MigrationDriver): Promise<void> {
	const {put} = driver.record;
	// A concurrent observation may have settled the outcome.
	if (!hasUnknownOutcome(driver.record.state)) return;
	await driver.applyDespiteJournalFailure('give up', {put: put && {...put, came: 'given up'}});
}

const withUnknownOutcome = (failure: Failure): Failure =>
	failure.withDetails({
		outcomeUnknown: true,
		left: 'The response to the last PUT was lost: the service may or may not have accepted it. Nothing is resent automatically.',
		next: buildAdvice`${isFailure(failure, 'interrupted') ? 'Continue' : 'Then continue'} with \`${buildZoneCommand('migration resume')}\`: it reads the current state.`,
	});
