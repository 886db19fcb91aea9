import {Failure, isFailure} from '../../failure.ts';
import {isPlanAtLeast, zonePlanNames} from '../../service/plan.ts';
import {buildAdvice, buildZoneCommand, joinAdviceLines} from '../../text/advice.ts';
import type {JsonObject} from '../../text/json.ts';
import {checkConfiguration} from '../configuration/checks.ts';
import {
	computeFingerprint,
	formatFingerprint,
	hasActiveRuleset,
	type ManagedConfiguration,
} from '../configuration/configuration.ts';
import type {EntryPointMark, MigrationRecord} from '../journal/record.ts';
import {createNotAllowedFailure, getMigrationAdvice} from '../machine/next-steps.ts';
import {getEntryPointMark} from '../machine/observation.ts';
import {type MigrationMode, type MigrationStage, type Observation, stageWords} from '../machine/stage.ts';
import {isIneligible, isReviewedUnsent, stateTable} from '../machine/states.ts';
import {getNextState, type MigrationEvent} from '../machine/transitions.ts';
import {getInitialConfiguration} from '../plan/plan.ts';
import {readProposedConfiguration} from '../zone/calls.ts';
import {assessEligibility, type EligibilityFacts} from '../zone/eligibility.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {getEligibilityFacts} from '../zone/read-facts.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {isWithheld} from '../zone/withheld.ts';
import type {FlowContext, FlowOptions, PutConfirmation} from './context.ts';
import type {MigrationDriver} from './driver.ts';
import {isSameEntryPoint} from './reviewing.ts';

export const getSendEvent = (mode: MigrationMode) =>
	(mode === 'validation' ? 'send validation' : 'send deploy') satisfies MigrationEvent;

/**
 * Returns the configuration to send, after all checks that need no request. Throws if it must not be sent.
 */
export async function readSendableConfiguration(
	{context, record}: MigrationDriver,
	mode: MigrationMode,
	confirmation: PutConfirmation,
): Promise<ManagedConfiguration> {
	const {zone, journal} = context;
	requireSendable(context, record, mode);
	if (confirmation.zone !== zone.name) throw createNameFailure(zone.name, confirmation.zone);
	refuseForPlan(zone, record, mode);
	if (!record.reviewed) throw createNotAllowedFailure(zone, {...record, state: 'eligible'}, 'Sending');
	const configuration = await journal.readReviewed(record.reviewed.fingerprint);
	if (!hasActiveRuleset(configuration) && !confirmation.withoutRulesets)
		throw new Failure('unconfirmed', 'The configuration deploys no managed ruleset.', {
			why: 'Nothing would replace the previous managed rules that protect the zone.',
			next: 'Confirm this (--without-rulesets), or review a configuration with an active ruleset.',
		});
	return configuration;
}

/** Throws `plan_lacks` if the zone's plan does not include validation. */
function refuseForPlan(zone: MigrationZone, record: MigrationRecord, mode: MigrationMode): void {
	if (mode === 'pending' || zone.plan === undefined || isPlanAtLeast(zone.plan, 'enterprise')) return;
	throw new Failure(
		'plan_lacks',
		`${zone.name} has no validation mode: it is on the ${zonePlanNames[zone.plan]} plan.`,
		{
			why: 'Only zones on the Enterprise plan can run both versions side by side.',
			next: buildAdvice`Migrate in one step instead. ${getMigrationAdvice(zone, {...record, goal: 'pending'})}`,
		},
	);
}

/** Throws if the state or the plan of the zone prevents any PUT. */
export function refuseToSend(zone: MigrationZone, record: MigrationRecord, mode: MigrationMode): void {
	if (stateTable[record.state].sendPermission === 'no')
		throw createNotAllowedFailure(zone, record, sendingNames[mode]);
	refuseForPlan(zone, record, mode);
}

const sendingNames = {validation: 'Validation', pending: 'Deploying'} as const;

/** Throws unless the machine allows the PUT now. */
function requireSendable({zone}: FlowContext, record: MigrationRecord, mode: MigrationMode): void {
	if (getNextState(record.state, getSendEvent(mode)) === undefined)
		throw createNotAllowedFailure(zone, record, sendingNames[mode]);
}

/** The configuration to send, and the zone as just read. */
type PreparedPut = {readonly configuration: ManagedConfiguration; readonly snapshot: Snapshot};

/**
 * The readings before a PUT. `oldestReadingAt`: when the oldest response arrived, in milliseconds since the
 * epoch; `readingMs`: the time from then to the last response.
 */
type PrePutReading = {
	readonly observation: Observation;
	readonly oldestReadingAt: number;
	readonly readingMs: number;
};

/**
 * Reads the proposal, check, status and entry point just before the PUT. Throws unless the zone is eligible
 * and everything is as it was at the review.
 */
export async function rereadBeforePut(
	driver: MigrationDriver,
	mode: MigrationMode,
	{configuration, snapshot}: PreparedPut,
	options: FlowOptions,
): Promise<PrePutReading> {
	const {context} = driver;
	const {zone} = context;
	refuseInvalidConfiguration(configuration, snapshot);
	const isFirstPut = isReviewedUnsent(driver.record.state);
	const proposal = isFirstPut ? await readProposal(driver, mode, options) : undefined;
	const observation = await driver.observe(options);
	const facts = getEligibilityFacts(snapshot);
	const ineligibility = findIneligibility(zone, facts, observation);
	// The blocker explains more than the state that it causes.
	if (ineligibility && isIneligible(driver.record.state)) throw ineligibility;
	requireSendable(context, driver.record, mode);
	if (ineligibility) throw ineligibility;
	if (facts.stage !== observation.stage)
		throw createStaleBackupFailure(zone.name, facts.stage, observation.stage);
	const {reviewed} = driver.record;
	if (proposal && proposal.fingerprint !== reviewed?.proposed)
		throw createChangeFailure(
			zone.name,
			'The proposed configuration',
			proposal.fingerprint,
			reviewed?.proposed,
		);
	const [currentMark, reviewedMark] = [getEntryPointMark(observation), reviewed?.entryPoint];
	if (
		!isSameEntryPoint(currentMark, reviewedMark) &&
		(isFirstPut || !isOwnEntryPoint(currentMark, driver.record))
	)
		throw createChangeFailure(
			zone.name,
			'The entry point of the managed rules',
			currentMark?.fingerprint,
			reviewedMark?.fingerprint,
		);
	refuseNameChange(configuration, snapshot);
	const oldestReadingAt = Math.min(observation.at, proposal?.at ?? observation.at);
	return {observation, oldestReadingAt, readingMs: context.client.clock.now() - oldestReadingAt};
}

/** Finds why nothing can be sent to the zone. Undefined if it is eligible. */
function findIneligibility(
	zone: MigrationZone,
	facts: EligibilityFacts,
	{check, status, stage}: Observation,
): Failure | undefined {
	const {eligible, blockers} = assessEligibility({...facts, zone, check, status, stage});
	if (eligible) return undefined;
	const blockingIssues = blockers.filter(one => one.hinders);
	return new Failure('not_eligible', `${zone.name} isn't eligible for migration; nothing was sent.`, {
		why: blockingIssues.map(({sentence}) => sentence).join('\n'),
		next: joinAdviceLines(
			...new Set(blockingIssues.map(one => one.next)),
			buildAdvice`\`${buildZoneCommand('migration check')}\` lists what blocks it.`,
		),
	});
}

/**
 * True if the entry point in validation was reviewed here, sent by ledge, or stored by the service from what
 * ledge sent.
 */
function isOwnEntryPoint(currentMark: EntryPointMark | undefined, {put, reviewed}: MigrationRecord): boolean {
	const ownFingerprints = [reviewed?.fingerprint, put?.fingerprint, put?.stored?.fingerprint];
	return currentMark !== undefined && ownFingerprints.includes(currentMark.fingerprint);
}

/**
 * Throws if the service would refuse the configuration. Accepts everything that the proposal or the active
 * rules contain unchanged.
 */
export function refuseInvalidConfiguration(configuration: ManagedConfiguration, snapshot: Snapshot): void {
	const findings = checkConfiguration(
		configuration,
		snapshot.zone,
		getInitialConfiguration(snapshot),
		snapshot.catalogue,
		{allowUnknown: true},
	);
	const errors = findings.filter(({severity}) => severity === 'error');
	if (errors.length > 0)
		throw new Failure('input_malformed', 'The configuration has errors and cannot be sent.', {
			why: errors.map(({sentence}) => sentence).join('\n'),
			next: 'Fix it, then review it again.',
		});
}

/**
 * Throws if the configuration's name differs from that of the zone's entry point: neither the fingerprint nor
 * the comparison includes the name.
 */
function refuseNameChange({name}: ManagedConfiguration, {zone, entryPoint, proposed}: Snapshot): void {
	const names = [entryPoint, proposed].flatMap(one => (one ? [getConfigurationName(one)] : []));
	const allowedNames = names.length > 0 ? names : [getConfigurationName({})];
	if (allowedNames.includes(name)) return;
	throw new Failure(
		'input_malformed',
		`The configuration is named "${name}"; nothing was sent to ${zone.name}.`,
		{
			why: `The name of a zone's entry point can't change; it is "${allowedNames[0]}".`,
			next: `Set "name": "${allowedNames[0]}" in the configuration, then review it again.`,
		},
	);
}

const getConfigurationName = ({name}: JsonObject): string => (typeof name === 'string' ? name : 'default');

async function readProposal(
	driver: MigrationDriver,
	mode: MigrationMode,
	options: FlowOptions,
): Promise<{readonly fingerprint: string; readonly at: number}> {
	const {client, zone} = driver.context;
	options.onStep?.({does: 'reading', what: 'the proposed configuration'});
	try {
		const {configuration} = await readProposedConfiguration(client, zone.id, options.signal);
		return {fingerprint: computeFingerprint(configuration), at: client.clock.now()};
	} catch (error) {
		if (!isFailure(error) || !isWithheld(error)) throw error;
		// A zone that has moved on has no proposal, and its current state explains more than the refusal.
		await driver.observe(options);
		requireSendable(driver.context, driver.record, mode);
		throw error;
	}
}

/** Creates the failure for a backup that describes an earlier stage. */
const createStaleBackupFailure = (
	zoneName: string,
	backupStage: MigrationStage,
	currentStage: MigrationStage,
): Failure =>
	new Failure('changed_meanwhile', `${zoneName} has changed since its backup; nothing was sent.`, {
		why: `Then: ${stageWords[backupStage]}. Now: ${stageWords[currentStage]}.`,
		next: buildAdvice`Check its current state with \`${buildZoneCommand('migration status')}\`, then try again.`,
	});

const createChangeFailure = (
	zoneName: string,
	subject: string,
	currentFingerprint: string | undefined,
	reviewedFingerprint: string | undefined,
): Failure =>
	new Failure(
		'changed_meanwhile',
		`${subject} has changed since the review; nothing was sent to ${zoneName}.`,
		{
			why: `Its fingerprint was ${formatOptionalFingerprint(reviewedFingerprint)} at the review, and is ${formatOptionalFingerprint(currentFingerprint)} now.`,
			next: buildAdvice`Check its current state with \`${buildZoneCommand('migration plan')}\`, then review it again.`,
		},
	);

const formatOptionalFingerprint = (fingerprint: string | undefined): string =>
	fingerprint ? formatFingerprint(fingerprint) : 'none';

const createNameFailure = (name: string, typedName: string): Failure =>
	new Failure('unconfirmed', `Not confirmed: the zone's name is ${name}; nothing was sent.`, {
		why: typedName ? `"${typedName}" was given.` : 'No name was given.',
		next: `Give its full name: --confirm ${name}`,
	});
