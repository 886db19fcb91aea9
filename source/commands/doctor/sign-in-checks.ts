import type {Credential} from '../../credentials/credential.ts';
import {toFailure} from '../../failure.ts';
import {parsePlan, type ZonePlan, zonePlanNames} from '../../service/plan.ts';
import {resolveAccountId, resolveZone} from '../../settings/settings.ts';
import {formatPlainQuantity} from '../../text/figures.ts';
import {isJsonObject} from '../../text/json.ts';
import type {CommandContext} from '../shell/context.ts';
import {formatCredential, summarizeCredential} from '../shell/whoami.ts';
import {answerShapes} from './answer-shapes.ts';
import {type Check, shortenId} from './check.ts';
import {describeLocalFailure} from './failed-call.ts';
import {findReadPermission, judgeAnswer, type Prober, readForCheck, runProbe} from './probe.ts';

/** The zone whose areas are checked. Its plan is undefined if unknown. */
export type CheckedZone = {readonly id: string; readonly plan: ZonePlan | undefined};

/** What the credential reaches, for the checks of areas. */
type Reach = {
	readonly checks: readonly Check[];
	readonly accountId: string | undefined;
	readonly zone: CheckedZone | undefined;
};

/** Reads the credential, which may run a credential command or wrangler. Its kind is undefined if that fails. */
export async function checkCredential(
	context: CommandContext,
): Promise<{readonly check: Check; readonly kind?: Credential['kind']}> {
	const label = {name: 'credential', title: 'credential'};
	if (context.options.simulate)
		return {check: {...label, state: 'ok', finding: 'none needed, from --simulate'}, kind: 'token'};
	try {
		const summary = summarizeCredential(await context.credential());
		return {check: {...label, state: 'ok', finding: formatCredential(summary)}, kind: summary.kind};
	} catch (error) {
		if (context.signal.aborted) throw error;
		return {check: {...label, ...describeLocalFailure(toFailure(error))}};
	}
}

/** Checks what the credential is and reaches: three calls, a fourth if the named zone is not on the first page. */
export async function checkReach(
	context: CommandContext,
	prober: Prober,
	kind: Credential['kind'],
): Promise<Reach> {
	let accountId: string | undefined;
	let zone: CheckedZone | undefined;
	const checks = await Promise.all([
		runProbe(prober, {name: 'token', title: kind === 'token' ? 'token' : 'user'}, () =>
			checkIdentity(prober, kind),
		),
		runProbe(prober, {name: 'accounts', title: 'accounts'}, async () => {
			accountId = await findConfiguredAccount(context);
			const envelope = await readForCheck(prober, '/accounts', {page: 1, per_page: 50});
			const ids = listIds(envelope.result);
			const reached = formatReached(ids.length, envelope.info.totalCount, 'account');
			if (accountId === undefined && ids.length > 1)
				return {
					...judgeAnswer(envelope, answerShapes.accounts, `${reached}, none chosen`),
					next: 'Choose one with --account-id or CLOUDFLARE_ACCOUNT_ID.',
				};
			const isSeen = accountId === undefined || ids.includes(accountId);
			accountId ??= ids[0];
			const use = accountId === undefined ? '' : `, checking ${shortenId(accountId)}`;
			const result = judgeAnswer(envelope, answerShapes.accounts, reached + use);
			return isSeen
				? result
				: {...result, state: 'failed', finding: `${result.finding}, but not the configured one`};
		}),
		runProbe(prober, {name: 'zones', title: 'zones', permission: findReadPermission('/zones')}, async () => {
			const found = await findZone(context, prober, id => {
				zone = {id, plan: undefined};
			});
			zone = found.zone;
			return found.result;
		}),
	]);
	return {checks: explainUnverifiedToken(checks), accountId, zone};
}

async function checkIdentity(prober: Prober, kind: Credential['kind']) {
	// The service verifies API tokens only; a login or a key identifies its user, whose address stays out.
	if (kind !== 'token')
		return judgeAnswer(await readForCheck(prober, '/user'), answerShapes.user, 'accepted');
	const envelope = await readForCheck(prober, '/user/tokens/verify');
	const {status, expires_on: expiresOn} = isJsonObject(envelope.result) ? envelope.result : {};
	const expiry = typeof expiresOn === 'string' ? `, expires ${expiresOn.slice(0, 10)}` : '';
	if (status === 'active') return judgeAnswer(envelope, answerShapes.token, `active${expiry}`);
	const result = judgeAnswer(envelope, answerShapes.token, 'not active');
	return status === 'disabled' || status === 'expired'
		? {...result, state: 'failed' as const, finding: status, next: 'Replace the token.'}
		: {...result, state: 'failed' as const};
}

/** Returns the account that settings name. Fails with `account_unclear` if they contradict each other. */
const findConfiguredAccount = async ({options, sources}: CommandContext): Promise<string | undefined> =>
	options.simulate ? undefined : resolveAccountId(await sources())?.value;

/** Finds the zone to check: the named one, else the first active one. `onNamedId`: called before any call. */
async function findZone(context: CommandContext, prober: Prober, onNamedId: (id: string) => void) {
	const sources = await context.sources();
	const setting = resolveZone(context.options.simulate ? {...sources, variables: () => undefined} : sources);
	if (setting?.kind === 'id') onNamedId(setting.id.value);
	const account = await findConfiguredAccount(context);
	const read = (name?: string) =>
		readForCheck(prober, '/zones', {name, 'account.id': account, page: 1, per_page: 50});
	const envelope = await read();
	const name = setting?.kind === 'name' ? setting.name.value.toLowerCase() : undefined;
	const listed = listRecords(envelope.result);
	const findNamed = (items: typeof listed) => items.find(item => item.name === name);
	const match =
		setting?.kind === 'id'
			? (listed.find(({id}) => id === setting.id.value) ?? {id: setting.id.value})
			: name === undefined
				? (listed.find(({status}) => status === 'active') ?? listed[0])
				: (findNamed(listed) ?? findNamed(listRecords((await read(name)).result)));
	const reached = formatReached(listed.length, envelope.info.totalCount, 'zone');
	if (!match || typeof match.id !== 'string') {
		const result = judgeAnswer(envelope, answerShapes.zones, reached);
		if (name === undefined) return {result, zone: undefined};
		const finding = `${result.finding}, but not the named one`;
		return {result: {...result, state: 'failed' as const, finding}, zone: undefined};
	}
	const {id, plan} = match;
	const {name: planName, legacy_id: legacyId} = isJsonObject(plan) ? plan : {};
	const level = parsePlan(toText(planName), toText(legacyId));
	const shownPlan = level === undefined ? 'plan unknown' : zonePlanNames[level];
	const use = `${reached}, checking ${shortenId(id)} (${shownPlan})`;
	return {result: judgeAnswer(envelope, answerShapes.zones, use), zone: {id, plan: level}};
}

/**
 * A token of an account is unknown to the call that verifies those of users. If the same token lists accounts or
 * zones, that is a note.
 */
function explainUnverifiedToken(checks: readonly Check[]): readonly Check[] {
	const isAccepted = checks.some(({name, state}) => name !== 'token' && (state === 'ok' || state === 'note'));
	return checks.map(check =>
		isAccepted && check.name === 'token' && check.state === 'failed' && check.http === 401
			? {
					...check,
					state: 'note',
					finding: 'valid, but not a user token: it probably belongs to an account',
					next: undefined,
				}
			: check,
	);
}

const formatReached = (listed: number, total: number | undefined, noun: string): string =>
	`${formatPlainQuantity(Math.max(total ?? 0, listed), noun)} reachable`;

const listRecords = (result: unknown): readonly Readonly<Record<string, unknown>>[] =>
	Array.isArray(result) ? result.filter(isJsonObject) : [];

const listIds = (result: unknown): readonly string[] =>
	listRecords(result).flatMap(({id}) => (typeof id === 'string' ? [id] : []));

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
