import {Failure} from '../failure.ts';
import type {JsonObject} from '../json.ts';
import {planHas, planNames} from '../service/plan.ts';
import {proposedConfiguration} from './calls.ts';
import {type EligibilityFacts, eligibility} from './checks.ts';
import {type Configuration, deploysAnything, fingerprint, shownFingerprint} from './configuration.ts';
import {checkConfiguration} from './configuration-checks.ts';
import type {Driving} from './driving.ts';
import type {Confirmation, FlowParts, FlowWork} from './flow.ts';
import {type MigrationEvent, next} from './machine.ts';
import {markOf} from './observation.ts';
import type {EntryPointMark, MigrationRecord} from './record.ts';
import type {MigrationZone, Snapshot} from './snapshot.ts';
import {factsIn} from './snapshot-facts.ts';
import {type Mode, type Seen, type Stage, stageWords} from './stage.ts';
import {cannotNow} from './standing.ts';

export const sendingEvent = (mode: Mode) =>
	(mode === 'validation' ? 'send validation' : 'send deploy') satisfies MigrationEvent;

/** What can be said without reading anything. Gives what is to be sent. */
export async function ready(
	{parts, record}: Driving,
	mode: Mode,
	confirmation: Confirmation,
): Promise<Configuration> {
	const {zone, journal} = parts;
	mayNow(parts, record, mode);
	if (confirmation.zone !== zone.name) throw unconfirmed(zone.name, confirmation.zone);
	if (mode === 'validation' && zone.plan && !planHas(zone.plan, 'enterprise'))
		throw new Failure(
			'plan_lacks',
			`${zone.name} has no validation mode: it is of the ${planNames[zone.plan]} plan.`,
			{
				why: 'Only zones of the Enterprise plan can run both versions side by side.',
				next: 'Rehearse the migration, then deploy directly: `ledge migration rehearse`, `ledge migration deploy`.',
			},
		);
	if (!record.reviewed) throw cannotNow(zone, 'eligible', 'Sending');
	const configuration = await journal.readReviewed(record.reviewed.fingerprint);
	const wrong = checkConfiguration(configuration, zone.plan).filter(({severity}) => severity === 'error');
	if (wrong.length > 0)
		throw new Failure('input_malformed', 'The configuration is not sent: something in it is wrong.', {
			why: wrong.map(({sentence}) => sentence).join('\n'),
			next: 'Mend it, and review it again.',
		});
	if (!deploysAnything(configuration) && !confirmation.withoutRulesets)
		throw new Failure('unconfirmed', 'The configuration deploys no managed ruleset at all.', {
			why: 'With it, nothing protects the zone in place of the previous managed rules.',
			next: 'Say that this is meant (--without-rulesets), or review a configuration with a ruleset that is on.',
		});
	return configuration;
}

/** Fails unless the machine lets the PUT go now. */
function mayNow({zone}: FlowParts, {state, seen}: MigrationRecord, mode: Mode): void {
	if (next(state, sendingEvent(mode)) === undefined)
		throw cannotNow(zone, state, mode === 'validation' ? 'Validation' : 'Deploying', seen);
}

/** What is to be sent, and the zone as it was read just now. */
type Prepared = {readonly configuration: Configuration; readonly snapshot: Snapshot};

/** What was seen, and when the oldest of it was answered. */
type Looked = {readonly seen: Seen; readonly since: number};

/**
 * Reads the proposal, then check, status and entry point just before the PUT, and fails unless the zone is eligible and
 * all is as it was shown when the configuration was reviewed. Gives what was seen.
 */
export async function readAgain(
	driving: Driving,
	mode: Mode,
	{configuration, snapshot}: Prepared,
	work: FlowWork,
): Promise<Looked> {
	const {parts} = driving;
	const {zone} = parts;
	const isFirst = driving.record.state === 'reviewed';
	const proposed = isFirst ? await proposal(parts, work) : undefined;
	const seen = await driving.look(work);
	const facts = factsIn(snapshot);
	const hindered = hindrance(zone, facts, seen);
	// What hinders a zone that is blocked says more than that it is.
	if (hindered && driving.record.state === 'blocked') throw hindered;
	mayNow(parts, driving.record, mode);
	if (hindered) throw hindered;
	if (facts.stage !== seen.stage) throw movedOn(zone.name, facts.stage, seen.stage);
	const {reviewed} = driving.record;
	if (proposed && proposed.fingerprint !== reviewed?.proposed)
		throw changed(zone.name, 'What the service proposes', proposed.fingerprint, reviewed?.proposed);
	const [now, then] = [markOf(seen), reviewed?.entryPoint];
	if (!isSame(now, then) && (isFirst || !isOurs(now, driving.record)))
		throw changed(zone.name, 'The entry point of the managed rules', now?.fingerprint, then?.fingerprint);
	refuseOtherName(configuration, snapshot);
	return {seen, since: Math.min(seen.at, proposed?.at ?? seen.at)};
}

/** Why nothing can be sent to the zone (checks.ts), by what was read of it now; `undefined` where it is eligible. */
function hindrance(
	zone: MigrationZone,
	facts: EligibilityFacts,
	{check, status, stage}: Seen,
): Failure | undefined {
	const {eligible, blockers} = eligibility({...facts, zone, check, status, stage, unchecked: undefined});
	if (eligible) return undefined;
	const hinders = blockers.filter(one => one.hinders);
	return new Failure('not_eligible', `${zone.name} cannot migrate as it is; nothing was sent.`, {
		why: hinders.map(({sentence}) => sentence).join('\n'),
		next: [
			...new Set(hinders.map(one => one.next).filter(Boolean)),
			'`ledge migration check` lists what stands in the way.',
		].join('\n'),
	});
}

const isSame = (one: EntryPointMark | undefined, other: EntryPointMark | undefined): boolean =>
	one?.version === other?.version && one?.fingerprint === other?.fingerprint;

/** In validation: whether what is there was reviewed here, and put there by ledge, as it was sent or was then stored. */
function isOurs(now: EntryPointMark | undefined, {put, reviewed}: MigrationRecord): boolean {
	const ours = [reviewed?.fingerprint, put?.fingerprint, put?.stored?.fingerprint];
	return now !== undefined && ours.includes(now.fingerprint);
}

/** The name is in no fingerprint and in no comparison: it has to be one that the zone has by itself. */
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
	{client, zone}: FlowParts,
	work: FlowWork,
): Promise<{readonly fingerprint: string; readonly at: number}> {
	work.onStep?.({does: 'reading', what: 'the proposed configuration'});
	const {configuration} = await proposedConfiguration(client, zone.id, work.signal);
	return {fingerprint: fingerprint(configuration), at: client.pace.now()};
}

/** The backup is of what was there before. */
const movedOn = (zone: string, then: Stage, now: Stage): Failure =>
	new Failure('changed_meanwhile', `${zone} has moved on since it was backed up; nothing was sent.`, {
		why: `It was: ${stageWords[then]}. It is: ${stageWords[now]}.`,
		next: '`ledge migration status` shows how it stands; try again then.',
	});

const changed = (zone: string, what: string, now: string | undefined, then: string | undefined): Failure =>
	new Failure('changed_meanwhile', `${what} has changed since the review; nothing was sent to ${zone}.`, {
		why: `Its fingerprint was ${shown(then)} then, and is ${shown(now)} now.`,
		next: 'See what it is now with `ledge migration plan`, and review it again.',
	});

const shown = (digits: string | undefined): string => (digits ? shownFingerprint(digits) : 'none');

const unconfirmed = (name: string, typed: string): Failure =>
	new Failure('unconfirmed', `Not confirmed: the zone is ${name}; nothing was sent.`, {
		why: typed ? `"${typed}" was given.` : 'No name was given.',
		next: `Give its whole name: --confirm ${name}`,
	});
