import {Failure, isFailure} from '../../failure.ts';
import {planHas, planNames} from '../../service/plan.ts';
import {advice, adviceLines, inZone} from '../../text/advice.ts';
import type {JsonObject} from '../../text/json.ts';
import {checkConfiguration} from '../configuration/checks.ts';
import {
	type Configuration,
	deploysAnything,
	fingerprint,
	shownFingerprint,
} from '../configuration/configuration.ts';
import type {EntryPointMark, MigrationRecord} from '../journal/record.ts';
import {cannotNow, onwardAdvice} from '../machine/next-steps.ts';
import {markOf} from '../machine/observation.ts';
import {type Mode, type Observation, type Stage, stageWords} from '../machine/stage.ts';
import {isIneligible, isReviewedUnsent, stateTable} from '../machine/states.ts';
import {type MigrationEvent, next} from '../machine/transitions.ts';
import {begunWith} from '../plan/plan.ts';
import {proposedConfiguration} from '../zone/calls.ts';
import {type EligibilityFacts, eligibility} from '../zone/eligibility.ts';
import type {MigrationZone} from '../zone/migration-zone.ts';
import {factsIn} from '../zone/read-facts.ts';
import type {Snapshot} from '../zone/snapshot.ts';
import {isWithheld} from '../zone/unavailable.ts';
import type {Driving} from './driving.ts';
import type {Confirmation, FlowParts, FlowWork} from './parts.ts';
import {isSameMark} from './reviewing.ts';

export const sendingEvent = (mode: Mode) =>
	(mode === 'validation' ? 'send validation' : 'send deploy') satisfies MigrationEvent;

/**
 * Returns the configuration to send. Checks everything that needs no request, and throws if it must not be
 * sent.
 */
export async function sendableConfiguration(
	{parts, record}: Driving,
	mode: Mode,
	confirmation: Confirmation,
): Promise<Configuration> {
	const {zone, journal} = parts;
	mayNow(parts, record, mode);
	if (confirmation.zone !== zone.name) throw unconfirmed(zone.name, confirmation.zone);
	refuseForPlan(zone, record, mode);
	if (!record.reviewed) throw cannotNow(zone, {...record, state: 'eligible'}, 'Sending');
	const configuration = await journal.readReviewed(record.reviewed.fingerprint);
	if (!deploysAnything(configuration) && !confirmation.withoutRulesets)
		throw new Failure('unconfirmed', 'The configuration deploys no managed ruleset at all.', {
			why: 'With it, nothing protects the zone in place of the previous managed rules.',
			next: 'Say that this is meant (--without-rulesets), or review a configuration with a ruleset that is on.',
		});
	return configuration;
}

/** Throws `plan_lacks` if the plan of the zone has no validation. */
function refuseForPlan(zone: MigrationZone, record: MigrationRecord, mode: Mode): void {
	if (mode === 'pending' || zone.plan === undefined || planHas(zone.plan, 'enterprise')) return;
	throw new Failure(
		'plan_lacks',
		`${zone.name} has no validation mode: it is of the ${planNames[zone.plan]} plan.`,
		{
			why: 'Only zones of the Enterprise plan can run both versions side by side.',
			next: advice`There the migration goes in one step. ${onwardAdvice(zone, {...record, goal: 'pending'})}`,
		},
	);
}

/** Throws if the state or the plan of a zone prevents a PUT of any configuration. */
export function refuseToSend(zone: MigrationZone, record: MigrationRecord, mode: Mode): void {
	if (stateTable[record.state].sends === 'no') throw cannotNow(zone, record, sendingWords[mode]);
	refuseForPlan(zone, record, mode);
}

const sendingWords = {validation: 'Validation', pending: 'Deploying'} as const;

/** Throws unless the machine allows the PUT now. */
function mayNow({zone}: FlowParts, record: MigrationRecord, mode: Mode): void {
	if (next(record.state, sendingEvent(mode)) === undefined) throw cannotNow(zone, record, sendingWords[mode]);
}

/** The configuration to send, and the zone as just read. */
type Prepared = {readonly configuration: Configuration; readonly snapshot: Snapshot};

/** An observation, when its oldest part was answered, and the milliseconds until the last one was. */
type Looked = {readonly observed: Observation; readonly since: number; readonly took: number};

/**
 * Reads the proposal, check, status and entry point just before the PUT. Throws unless the zone is eligible
 * and all is as shown at the review.
 */
export async function readAgain(
	driving: Driving,
	mode: Mode,
	{configuration, snapshot}: Prepared,
	work: FlowWork,
): Promise<Looked> {
	const {parts} = driving;
	const {zone} = parts;
	refuseWrong(configuration, snapshot);
	const isFirst = isReviewedUnsent(driving.record.state);
	const proposed = isFirst ? await proposal(driving, mode, work) : undefined;
	const seen = await driving.look(work);
	const facts = factsIn(snapshot);
	const hindered = ineligibility(zone, facts, seen);
	// A blocker says more than the state it causes.
	if (hindered && isIneligible(driving.record.state)) throw hindered;
	mayNow(parts, driving.record, mode);
	if (hindered) throw hindered;
	if (facts.stage !== seen.stage) throw movedOn(zone.name, facts.stage, seen.stage);
	const {reviewed} = driving.record;
	if (proposed && proposed.fingerprint !== reviewed?.proposed)
		throw changed(zone.name, 'What the service proposes', proposed.fingerprint, reviewed?.proposed);
	const [now, then] = [markOf(seen), reviewed?.entryPoint];
	if (!isSameMark(now, then) && (isFirst || !isOurs(now, driving.record)))
		throw changed(zone.name, 'The entry point of the managed rules', now?.fingerprint, then?.fingerprint);
	refuseOtherName(configuration, snapshot);
	const since = Math.min(seen.at, proposed?.at ?? seen.at);
	return {observed: seen, since, took: parts.client.clock.now() - since};
}

/** Finds why nothing can be sent to the zone. Undefined if it is eligible. */
function ineligibility(
	zone: MigrationZone,
	facts: EligibilityFacts,
	{check, status, stage}: Observation,
): Failure | undefined {
	const {eligible, blockers} = eligibility({...facts, zone, check, status, stage});
	if (eligible) return undefined;
	const hinders = blockers.filter(one => one.hinders);
	return new Failure('not_eligible', `${zone.name} cannot migrate as it is; nothing was sent.`, {
		why: hinders.map(({sentence}) => sentence).join('\n'),
		next: adviceLines(
			...new Set(hinders.map(one => one.next)),
			advice`\`${inZone('migration check')}\` lists what blocks it.`,
		),
	});
}

/**
 * In validation: true if the entry point was reviewed here, sent by ledge, or stored by the service from what
 * ledge sent.
 */
function isOurs(now: EntryPointMark | undefined, {put, reviewed}: MigrationRecord): boolean {
	const ours = [reviewed?.fingerprint, put?.fingerprint, put?.stored?.fingerprint];
	return now !== undefined && ours.includes(now.fingerprint);
}

/**
 * Throws if the service would refuse the configuration. Accepts what the proposal or the active rules contain
 * unchanged.
 */
export function refuseWrong(configuration: Configuration, snapshot: Snapshot): void {
	const findings = checkConfiguration(configuration, snapshot.zone, begunWith(snapshot), snapshot.managed);
	const wrong = findings.filter(({severity}) => severity === 'error');
	if (wrong.length > 0)
		throw new Failure('input_malformed', 'The configuration is not sent: something in it is wrong.', {
			why: wrong.map(({sentence}) => sentence).join('\n'),
			next: 'Mend it, and review it again.',
		});
}

/** Throws if the name differs from the zone's own: neither fingerprint nor comparison includes the name. */
function refuseOtherName({name}: Configuration, {zone, entryPoint, proposed}: Snapshot): void {
	const names = [entryPoint, proposed].flatMap(one => (one ? [nameOf(one)] : []));
	const own = names.length > 0 ? names : [nameOf({})];
	if (own.includes(name)) return;
	throw new Failure(
		'input_malformed',
		`The configuration is called "${name}"; nothing was sent to ${zone.name}.`,
		{
			why: `The entry point of a zone keeps its name, which is "${own[0]}".`,
			next: `Write "name": "${own[0]}" into the configuration, and review it again.`,
		},
	);
}

const nameOf = ({name}: JsonObject): string => (typeof name === 'string' ? name : 'default');

async function proposal(
	driving: Driving,
	mode: Mode,
	work: FlowWork,
): Promise<{readonly fingerprint: string; readonly at: number}> {
	const {client, zone} = driving.parts;
	work.onStep?.({does: 'reading', what: 'the proposed configuration'});
	try {
		const {configuration} = await proposedConfiguration(client, zone.id, work.signal);
		return {fingerprint: fingerprint(configuration), at: client.clock.now()};
	} catch (error) {
		if (!isFailure(error) || !isWithheld(error)) throw error;
		// A zone that has moved on has no proposal; its current state says more than the refusal.
		await driving.look(work);
		mayNow(driving.parts, driving.record, mode);
		throw error;
	}
}

/** The backup describes an earlier stage. */
const movedOn = (zone: string, then: Stage, now: Stage): Failure =>
	new Failure('changed_meanwhile', `${zone} has moved on since it was backed up; nothing was sent.`, {
		why: `It was: ${stageWords[then]}. It is: ${stageWords[now]}.`,
		next: advice`\`${inZone('migration status')}\` shows how it stands; try again then.`,
	});

const changed = (zone: string, what: string, now: string | undefined, then: string | undefined): Failure =>
	new Failure('changed_meanwhile', `${what} has changed since the review; nothing was sent to ${zone}.`, {
		why: `Its fingerprint was ${shown(then)} then, and is ${shown(now)} now.`,
		next: advice`See its current state with \`${inZone('migration plan')}\`, and review it again.`,
	});

const shown = (digits: string | undefined): string => (digits ? shownFingerprint(digits) : 'none');

const unconfirmed = (name: string, typed: string): Failure =>
	new Failure('unconfirmed', `Not confirmed: the zone is ${name}; nothing was sent.`, {
		why: typed ? `"${typed}" was given.` : 'No name was given.',
		next: `Give its whole name: --confirm ${name}`,
	});
