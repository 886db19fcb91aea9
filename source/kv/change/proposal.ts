import type {JsonValue} from '../../text/json.ts';
import {
	keyProblem,
	lifetimeProblem,
	limits,
	metadataProblem,
	type Problem,
	unixSeconds,
	valueProblem,
} from '../limits.ts';
import type {KvStore, Lifetime} from '../store.ts';
import {
	type Base,
	isSame,
	isSameMetadata,
	type KeyDigest,
	keyDigestOf,
	readWhole,
	type WholeKey,
} from './whole-key.ts';

/** How long a key is to live: as it does now, for ever, until a moment (UNIX seconds), or so many seconds from the write. */
export type LifetimeChoice = 'keep' | 'never' | {readonly expiration: number} | {readonly ttl: number};

export type Origin = 'edit' | 'create' | 'metadata' | 'expiry' | 'delete' | 'undo';

type Changing = {
	readonly key: string;
	/** What the change began from; `undefined`: there was no such key. */
	readonly base: Base | undefined;
	readonly origin: Origin;
};

export type PutProposal = Changing & {
	readonly kind: 'put';
	/** What the key is to hold; metadata `null`: none. */
	readonly mine: {readonly bytes: Uint8Array; readonly metadata: JsonValue};
	readonly lifetime: LifetimeChoice;
};

export type DeleteProposal = Changing & {readonly kind: 'delete'; readonly mine?: undefined};

/** What one key is to become. Nothing of it is sent before `check` has looked at the key once more. */
export type Proposal = PutProposal | DeleteProposal;

/** What `check` found, and what is stored now. Only `unchanged` may be written without asking. */
export type Checked =
	/** What is stored is the base: nobody wrote meanwhile. */
	| {readonly type: 'unchanged'; readonly stored: WholeKey | undefined}
	/** Someone wrote since the change began. */
	| {readonly type: 'changed'; readonly stored: WholeKey}
	/** Someone deleted it, or it expired. */
	| {readonly type: 'vanished'; readonly stored: undefined}
	/** There was no such key when the change began, and now there is. */
	| {readonly type: 'appeared'; readonly stored: WholeKey}
	/** What is stored is what is proposed: there is nothing to do. */
	| {readonly type: 'already'; readonly stored: WholeKey | undefined};

/**
 * Reads the key again and compares. Best effort: a read from the service may be 60 s old, and
 * someone may write between this and `write`.
 */
export async function check(store: KvStore, proposal: Proposal, signal: AbortSignal): Promise<Checked> {
	const {base} = proposal;
	const stored = await readWhole(store, proposal.key, signal);
	if (!stored) {
		if (proposal.kind === 'delete') return {type: 'already', stored};
		return base ? {type: 'vanished', stored} : {type: 'unchanged', stored};
	}
	if (proposal.kind === 'put' && isThere(proposal, stored)) return {type: 'already', stored};
	if (!base) return {type: 'appeared', stored};
	return {type: isSame(base, stored) ? 'unchanged' : 'changed', stored};
}

function isThere(proposal: PutProposal, stored: WholeKey): boolean {
	const {ttl, expiration} = lifetimeToWrite(proposal, stored);
	// A ttl counts from the write, so what is stored never has it yet.
	return ttl === undefined && isSame(wholeOf(proposal.mine, expiration), stored);
}

const wholeOf = (mine: PutProposal['mine'], expiration: number | undefined): WholeKey => ({
	...mine,
	...(expiration !== undefined && {expiration}),
});

/**
 * Puts or deletes, over `stored` as `check` gave it, and returns the digest of the state afterwards
 * (`undefined`: nothing). `keep` means the expiry of what is stored now; that of the base where nothing is.
 * After a failure the key may or may not have been written. `clock` in milliseconds since the epoch.
 */
export async function write(
	store: KvStore,
	proposal: Proposal,
	stored: WholeKey | undefined,
	signal: AbortSignal,
	clock: () => number = Date.now,
): Promise<KeyDigest | undefined> {
	if (proposal.kind === 'delete') {
		await store.delete(proposal.key, signal);
		return undefined;
	}
	const {key, mine} = proposal;
	const {metadata} = mine;
	const lifetime = lifetimeToWrite(proposal, stored);
	const sent = unixSeconds(clock());
	await store.put(key, mine.bytes, {...lifetime, ...(metadata !== null && {metadata})}, signal);
	return imprintAfter(proposal, stored, {sent, answered: unixSeconds(clock())});
}

/**
 * The state after a write over `stored` that was sent and answered, or given up, at these UNIX seconds;
 * `undefined`: nothing.
 */
export function imprintAfter(
	proposal: Proposal,
	stored: WholeKey | undefined,
	{sent, answered}: {readonly sent: number; readonly answered: number},
): KeyDigest | undefined {
	if (proposal.kind === 'delete') return undefined;
	const {mine} = proposal;
	const {ttl, expiration} = lifetimeToWrite(proposal, stored);
	if (ttl === undefined) return keyDigestOf(wholeOf(mine, expiration));
	return {
		...keyDigestOf(wholeOf(mine, answered + ttl)),
		expirationWithin: answered - sent + clocksApart,
	};
}

/** How far the clocks of ledge and of the store may be apart, in seconds. */
const clocksApart = 60;

/** The lifetime that `write` sends for a proposal over what is stored: `keep` is the expiry of that, or else of the base. */
export function lifetimeToWrite({lifetime, base}: PutProposal, stored: Base | undefined): Lifetime {
	if (lifetime === 'never') return {};
	if (lifetime !== 'keep') return lifetime;
	const expiration = (stored ?? base)?.expiration;
	return expiration === undefined ? {} : {expiration};
}

/**
 * Which limit a proposal breaks, to be asked before anything is sent; `stored` as far as it is known, `now` in
 * UNIX seconds. An expiry about which `expiryQuestion` asks is not a problem yet. Metadata that stays, or comes
 * back, is left to the store: others may have written what the platform's documentation does not allow.
 */
export function problemOf(
	proposal: Proposal,
	now: number,
	stored: Base | undefined = proposal.base,
): Problem | undefined {
	const {key, base, origin} = proposal;
	const broken = keyProblem(key);
	if (broken || proposal.kind === 'delete') return broken;
	const {bytes, metadata} = proposal.mine;
	const stays = origin === 'undo' || (base !== undefined && isSameMetadata(base.metadata, metadata));
	return (
		valueProblem(bytes.length) ??
		(stays || metadata === null ? undefined : metadataProblem(metadata)) ??
		(expiryQuestion(proposal, now, stored)
			? undefined
			: lifetimeProblem(lifetimeToWrite(proposal, stored), now))
	);
}

/** An answer, and the lifetime to propose instead. */
type ExpiryAnswer = {readonly label: string; readonly lifetime: LifetimeChoice};

/** What must be asked before a write, and what can be answered: the careful one first, the last writes nothing. */
export type ExpiryQuestion = {
	readonly why: string;
	readonly answers: readonly [
		ExpiryAnswer,
		ExpiryAnswer,
		{readonly label: string; readonly lifetime?: undefined},
	];
};

/**
 * What to ask because the expiry that is to stay is under 60 s away, and the service takes no such expiry
 *. An expiry that someone typed is theirs to correct (`problemOf`). `now` in UNIX seconds.
 */
export function expiryQuestion(
	proposal: Proposal,
	now: number,
	stored: Base | undefined = proposal.base,
): ExpiryQuestion | undefined {
	if (proposal.kind === 'delete') return undefined;
	const {lifetime, origin} = proposal;
	if (lifetime !== 'keep' && origin !== 'undo') return undefined;
	const {expiration} = lifetimeToWrite(proposal, stored);
	if (expiration === undefined || expiration - now >= limits.minimumTtl) return undefined;
	const left = expiration - now;
	return {
		why:
			left > 0
				? `The key expires in ${left} s, which the service no longer accepts.`
				: 'The key has expired, and the service accepts no expiry in the past.',
		answers: [
			{label: `Let it live ${limits.minimumTtl} s from now`, lifetime: {ttl: limits.minimumTtl}},
			{label: 'Let it live without an expiry', lifetime: 'never'},
			{label: 'Cancel'},
		],
	};
}
