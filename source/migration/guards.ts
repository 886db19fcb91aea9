import {Failure} from '../failure.ts';
import {planHas, planNames} from '../service/plan.ts';
import {proposedConfiguration} from './calls.ts';
import {type Configuration, deploysAnything, fingerprint, shownFingerprint} from './configuration.ts';
import {checkConfiguration} from './configuration-checks.ts';
import type {Driving} from './driving.ts';
import type {Confirmation, FlowParts, FlowWork} from './flow.ts';
import {type MigrationEvent, next} from './machine.ts';
import {markOf} from './observation.ts';
import type {MigrationRecord} from './record.ts';
import type {Mode, Seen} from './stage.ts';
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
function mayNow({zone}: FlowParts, {state}: MigrationRecord, mode: Mode): void {
	if (next(state, sendingEvent(mode)) === undefined)
		throw cannotNow(zone, state, mode === 'validation' ? 'Validation' : 'Deploying');
}

/**
 * Reads the proposal, then check, status and entry point just before the PUT, and fails unless all is as it was when
 * the configuration was reviewed. Gives what was seen.
 */
export async function readAgain(driving: Driving, mode: Mode, work: FlowWork): Promise<Seen> {
	const {parts, record} = driving;
	const isFirst = record.state === 'reviewed';
	const proposed = isFirst ? await proposal(parts, work) : undefined;
	const seen = await driving.look(work);
	mayNow(parts, driving.record, mode);
	const {zone} = parts;
	if (!seen.check.compatible)
		throw new Failure('not_eligible', `${zone.name} cannot migrate as it is; nothing was sent.`, {
			why: 'The compatibility check of the service does not say that it is compatible.',
			next: '`ledge migration check` lists what stands in the way.',
		});
	if (!isFirst) return seen;
	const {reviewed} = driving.record;
	if (proposed !== reviewed?.proposed)
		throw changed(zone.name, 'What the service proposes', proposed, reviewed?.proposed);
	const [now, then] = [markOf(seen), reviewed?.entryPoint];
	if (now?.version !== then?.version || now?.fingerprint !== then?.fingerprint)
		throw changed(zone.name, 'The entry point of the managed rules', now?.fingerprint, then?.fingerprint);
	return seen;
}

async function proposal({client, zone}: FlowParts, work: FlowWork): Promise<string> {
	work.onStep?.({does: 'reading', what: 'the proposed configuration'});
	const {configuration} = await proposedConfiguration(client, zone.id, work.signal);
	return fingerprint(configuration);
}

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
