import {Failure, isFailure, toFailure} from '../failure.ts';
import type {Client} from '../service/client.ts';
import {getOutcome, isOutcomeUnknown} from '../service/outcome.ts';
import {listZones, readZoneById, type Zone} from '../service/zones.ts';
import {resolveAccountId, resolveZone, type ZoneSetting} from '../settings/settings.ts';
import type {Sourced} from '../settings/sourced.ts';
import {buildAdvice, buildCommand} from '../text/advice.ts';
import type {Session} from './session.ts';
import type {ChosenZone} from './write-place.ts';

export type ZoneUse = {
	/** Writes require a named zone. */
	readonly writes: boolean;
	/**
	 * What to do if the service gives no usable response for an id: fail, or (in an emergency) continue with
	 * an unknown plan.
	 */
	readonly onNoResponse?: 'fails' | 'plan unknown';
	/** A zone id from a journal and its source, which replaces options and variables. */
	readonly recordedId?: Sourced<string> | undefined;
};

/** Maximum number of zones listed in a failure. */
const maxListedZones = 20;

/**
 * Chooses the zone named by options and variables. A single visible zone serves for reads, never for writes.
 * If none or several match, the failure lists them. Wrong usage fails before the service is asked. For the
 * simulated service, variables do not count.
 */
export async function chooseZone(
	session: Session,
	{writes, onNoResponse = 'fails', recordedId}: ZoneUse,
	signal: AbortSignal,
): Promise<ChosenZone> {
	const sources = await session.sources();
	const activeSources = session.simulated ? {...sources, variables: () => undefined} : sources;
	const setting: ZoneSetting | undefined = recordedId
		? {kind: 'id', id: recordedId}
		: resolveZone(activeSources);
	if (!setting && writes) throw createUnnamedFailure();
	const client = await session.client();
	if (setting?.kind === 'id') {
		// The configuration file concerns keys; a named zone may belong to another account.
		const account = session.simulated
			? undefined
			: resolveAccountId({...activeSources, configuration: undefined});
		const chosenZone = await (onNoResponse === 'fails'
			? readChosenZone(session, client, setting.id, signal)
			: tryReadChosenZone(session, client, setting.id, signal));
		if (account && !recordedId) refuseOtherAccount(chosenZone, setting.id, account);
		// An unreadable zone counts as one of the named account, so that production still asks.
		return account && chosenZone.accountId === undefined
			? {...chosenZone, accountId: account.value}
			: chosenZone;
	}
	const account = session.simulated ? undefined : resolveAccountId(activeSources)?.value;
	return toChosenZone(await findSingleZone(client, setting, account, signal));
}

const createUnnamedFailure = (): Failure =>
	new Failure('usage', 'No zone was specified.', {
		why: 'Commands that write never guess the zone.',
		next: buildAdvice`Specify it with --zone NAME, --zone-id ID or CLOUDFLARE_ZONE_ID; \`${buildCommand('zones')}\` lists them.`,
	});

async function findSingleZone(
	client: Client,
	setting: (ZoneSetting & {kind: 'name'}) | undefined,
	account: string | undefined,
	signal: AbortSignal,
): Promise<Zone> {
	const name = setting?.name.value.toLowerCase().replace(/\.$/, '');
	if (name === '')
		throw new Failure('usage', 'The name of the zone is empty.', {next: 'Use --zone example.com.'});
	const zones: Zone[] = [];
	for await (const zone of listZones(client, {...(name && {name}), ...(account && {account})}, signal)) {
		// Services without this filter return all zones.
		if (name !== undefined && zone.name.toLowerCase() !== name) continue;
		zones.push(zone);
		if (zones.length > maxListedZones) break;
	}
	const [first, second] = zones;
	if (first && !second) return first;
	if (!first) {
		const accountNote = account === undefined ? '' : ` in the account ${account}`;
		throw new Failure(
			'zone_not_found',
			name === undefined
				? `The credential has no access to any zone${accountNote}.`
				: `The credential has no access to a zone named "${name}"${accountNote}.`,
			{
				next: buildAdvice`See \`${buildCommand('zones')}\` for the zones that exist, and \`${buildCommand('whoami')}\` for the credential in use.`,
			},
		);
	}
	throw new Failure(
		'usage',
		name === undefined
			? 'No zone was specified, and there is more than one.'
			: `"${name}" is the name of more than one zone.`,
		{
			why: formatZones(zones),
			next:
				name === undefined
					? 'Specify one with --zone NAME, --zone-id ID or CLOUDFLARE_ZONE_ID.'
					: 'Use one of these ids with --zone-id.',
		},
	);
}

function formatZones(zones: readonly Zone[]): string {
	const lines = zones
		.slice(0, maxListedZones)
		.map(({id, name, status, account}) => `${id}  ${name}  ${status}  ${account.name || account.id}`);
	return [
		...lines,
		...(zones.length > maxListedZones ? ['and more: `ledge zones` lists them all'] : []),
	].join('\n');
}

/**
 * Reads a zone by id. A credential that may not read zones can still use one: it warns that the plan is
 * unknown, and leaves plan limits to the service.
 */
async function readChosenZone(
	session: Session,
	client: Client,
	{value: id, from}: Sourced<string>,
	signal: AbortSignal,
): Promise<ChosenZone> {
	try {
		const zone = await readZoneById(client, id, signal);
		return toChosenZone(zone);
	} catch (error) {
		if (!isFailure(error, 'not_found', 'zone_not_found', 'credential_refused')) throw error;
		if (error.code !== 'credential_refused' || (await canSeeZones(client, signal))) {
			const {http, ray} = error.details;
			throw new Failure('zone_not_found', `The credential has no access to a zone with the id "${id}".`, {
				why: `The id comes from ${from}.`,
				next: buildAdvice`See \`${buildCommand('zones')}\` for the zones that exist.`,
				http,
				ray,
			});
		}
		if (error.details.http !== 403) throw error;
		session.events.warn(
			`The zone ${id} cannot be read with this credential (it lacks Zone Read), so its plan is unknown: only the service can tell what the plan lacks.`,
		);
		return buildUnreadZone(id);
	}
}

const buildUnreadZone = (id: string): ChosenZone => ({
	id,
	name: id,
	plan: undefined,
	account: undefined,
	label: `zone ${id}`,
});

/** Time limit for reading the zone in an emergency, in milliseconds. */
const zoneTimeoutMs = 3_000;

/** Reads a zone within a short time limit: an emergency does not wait for the plan. */
async function tryReadChosenZone(
	session: Session,
	client: Client,
	id: Sourced<string>,
	signal: AbortSignal,
): Promise<ChosenZone> {
	const timeLimitedSignal = AbortSignal.any([signal, AbortSignal.timeout(zoneTimeoutMs)]);
	try {
		return await readChosenZone(session, client, id, timeLimitedSignal);
	} catch (error) {
		const hasTimedOut = timeLimitedSignal.aborted && !signal.aborted;
		if (!hasTimedOut && !tellsNothingAboutZone(error)) throw error;
		const why = hasTimedOut ? `no response within ${zoneTimeoutMs / 1000} s` : toFailure(error).message;
		session.events.warn(
			`The zone ${id.value} could not be read (${why}), so its plan is unknown: only the service can tell what the plan lacks.`,
		);
		return buildUnreadZone(id.value);
	}
}

/**
 * True if the service said nothing about the zone: the response is missing, unreadable, blocked or without a
 * reason.
 */
function tellsNothingAboutZone(error: unknown): boolean {
	if (!isFailure(error)) return false;
	const outcome = getOutcome(error);
	const isSilent =
		outcome === 'throttled' || outcome === 'not sent' || outcome === 'refused without a reason';
	return isSilent || isOutcomeUnknown(error);
}

function refuseOtherAccount(
	{name, accountId: owner}: ChosenZone,
	zone: Sourced<string>,
	account: Sourced<string>,
): void {
	if (!owner || owner === account.value) return;
	throw new Failure('usage', `The zone ${name} belongs to another account.`, {
		why: `${zone.from} names a zone in the account ${owner}; ${account.from} names ${account.value}.`,
		next: buildAdvice`Leave out the account, or use one of its zones: \`${buildCommand('zones', '--account-id', account.value)}\` lists them.`,
	});
}

/**
 * True if the credential may read zones at all. Then a zone that it cannot read is outside its permissions.
 */
async function canSeeZones(client: Client, signal: AbortSignal): Promise<boolean> {
	try {
		for await (const _zone of listZones(client, {}, signal)) return true;
		return false;
	} catch (error) {
		if (isFailure(error, 'credential_refused')) return false;
		throw toFailure(error);
	}
}

export function toChosenZone({id, name, level, account}: Zone): ChosenZone {
	const owner = account.name || account.id || undefined;
	return {
		id,
		name,
		plan: level,
		account: owner,
		accountId: account.id || undefined,
		label: `${owner ? `${owner} › ` : ''}zone ${name}`,
	};
}
