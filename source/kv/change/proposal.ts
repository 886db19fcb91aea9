import type {JsonValue} from '../../text/json.ts';
import {
	findKeyProblem,
	findLifetimeProblem,
	findMetadataProblem,
	findValueProblem,
	limits,
	type Problem,
	toEpochSeconds,
} from '../limits.ts';
import type {KvStore, Lifetime} from '../store.ts';
import {
	type Base,
	digestKey,
	isSameMetadata,
	isSameState,
	type KeyDigest,
	readWholeKey,
	type WholeKey,
} from './whole-key.ts';

/** The lifetime to write: unchanged, unlimited, until a time (UNIX seconds), or seconds from the write. */
export type LifetimeChoice = 'keep' | 'never' | {readonly expiration: number} | {readonly ttl: number};

export type ChangeOrigin = 'edit' | 'create' | 'metadata' | 'expiry' | 'delete' | 'undo';

type ProposalCommon = {
	readonly key: string;
	/** What the change is based on; undefined if the key did not exist. */
	readonly base: Base | undefined;
	readonly origin: ChangeOrigin;
};

export type PutProposal = ProposalCommon & {
	readonly kind: 'put';
	/** The new content; metadata null means none. */
	readonly mine: {readonly bytes: Uint8Array; readonly metadata: JsonValue};
	readonly lifetime: LifetimeChoice;
};

export type DeleteProposal = ProposalCommon & {readonly kind: 'delete'; readonly mine?: undefined};

/** A proposed change of one key. Nothing is sent before `checkProposal` has read the key again. */
export type Proposal = PutProposal | DeleteProposal;

/** The result of `checkProposal`, with what is stored now. Only `unchanged` may be written without asking. */
export type ProposalCheck =
	/** The stored key is the base: no write in between. */
	| {readonly type: 'unchanged'; readonly stored: WholeKey | undefined}
	/** The key was written since the change began. */
	| {readonly type: 'changed'; readonly stored: WholeKey}
	/** The key was deleted, or expired. */
	| {readonly type: 'vanished'; readonly stored: undefined}
	/** The key did not exist when the change began, and exists now. */
	| {readonly type: 'appeared'; readonly stored: WholeKey}
	/** The stored key is the proposed one: nothing to do. */
	| {readonly type: 'already'; readonly stored: WholeKey | undefined};

/**
 * Reads the key again and compares it with the base. Best effort: a read from the service may be 60 s old,
 * and another write may happen before `writeProposal`.
 */
export async function checkProposal(
	store: KvStore,
	proposal: Proposal,
	signal: AbortSignal,
): Promise<ProposalCheck> {
	const {base} = proposal;
	const stored = await readWholeKey(store, proposal.key, signal);
	if (!stored) {
		if (proposal.kind === 'delete') return {type: 'already', stored};
		return base ? {type: 'vanished', stored} : {type: 'unchanged', stored};
	}
	if (proposal.kind === 'put' && isAlreadyStored(proposal, stored)) return {type: 'already', stored};
	if (!base) return {type: 'appeared', stored};
	return {type: isSameState(base, stored) ? 'unchanged' : 'changed', stored};
}

function isAlreadyStored(proposal: PutProposal, stored: WholeKey): boolean {
	const {ttl, expiration} = getLifetimeToWrite(proposal, stored);
	// A ttl counts from the write, so the stored expiry never matches it.
	return ttl === undefined && isSameState(toWholeKey(proposal.mine, expiration), stored);
}

const toWholeKey = (mine: PutProposal['mine'], expiration: number | undefined): WholeKey => ({
	...mine,
	...(expiration !== undefined && {expiration}),
});

/**
 * Puts or deletes the key, replacing `stored` as returned by `checkProposal`. Returns the digest of the new
 * state (undefined: no key). The lifetime `keep` keeps the expiry of what is stored now, or that of the base
 * if nothing is. After a failure the key may or may not have been written. `clock` returns milliseconds since
 * the epoch.
 */
export async function writeProposal(
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
	const lifetime = getLifetimeToWrite(proposal, stored);
	const sentAt = toEpochSeconds(clock());
	await store.put(key, mine.bytes, {...lifetime, ...(metadata !== null && {metadata})}, signal);
	return computeDigestAfterWrite(proposal, stored, {sentAt, respondedAt: toEpochSeconds(clock())});
}

/**
 * Returns the digest that the key has after a write over `stored`; undefined if the write deletes it.
 * `sentAt` and `respondedAt` are UNIX seconds; without a response, `respondedAt` is when ledge gave up.
 */
export function computeDigestAfterWrite(
	proposal: Proposal,
	stored: WholeKey | undefined,
	{sentAt, respondedAt}: {readonly sentAt: number; readonly respondedAt: number},
): KeyDigest | undefined {
	if (proposal.kind === 'delete') return undefined;
	const {mine} = proposal;
	const {ttl, expiration} = getLifetimeToWrite(proposal, stored);
	if (ttl === undefined) return digestKey(toWholeKey(mine, expiration));
	return {
		...digestKey(toWholeKey(mine, respondedAt + ttl)),
		expirationWithin: respondedAt - sentAt + maxClockSkew,
	};
}

/** Maximum difference between the clocks of ledge and the store, in seconds. */
const maxClockSkew = 60;

/**
 * Returns the lifetime that `writeProposal` sends: `keep` is the expiry of what is stored, otherwise of the
 * base.
 */
export function getLifetimeToWrite({lifetime, base}: PutProposal, stored: Base | undefined): Lifetime {
	if (lifetime === 'never') return {};
	if (lifetime !== 'keep') return lifetime;
	const expiration = (stored ?? base)?.expiration;
	return expiration === undefined ? {} : {expiration};
}

/**
 * Returns the limit that a proposal breaks; check it before sending. `stored` if known, `now` in UNIX
 * seconds. An expiry that `findExpiryQuestion` asks about is not a problem yet. Metadata that stays, or is
 * restored, is left to the store: others may have written what the platform's documentation does not allow.
 */
export function findProposalProblem(
	proposal: Proposal,
	now: number,
	stored: Base | undefined = proposal.base,
): Problem | undefined {
	const {key, base, origin} = proposal;
	const keyProblem = findKeyProblem(key);
	if (keyProblem || proposal.kind === 'delete') return keyProblem;
	const {bytes, metadata} = proposal.mine;
	const keepsMetadata = origin === 'undo' || (base !== undefined && isSameMetadata(base.metadata, metadata));
	return (
		findValueProblem(bytes.length) ??
		(keepsMetadata || metadata === null ? undefined : findMetadataProblem(metadata)) ??
		(findExpiryQuestion(proposal, now, stored)
			? undefined
			: findLifetimeProblem(getLifetimeToWrite(proposal, stored), now))
	);
}

/** An answer, and the lifetime it proposes. */
type ExpiryAnswer = {readonly label: string; readonly lifetime: LifetimeChoice};

/** A question before a write, and its answers: the cautious one first; the last one writes nothing. */
export type ExpiryQuestion = {
	readonly why: string;
	readonly answers: readonly [
		ExpiryAnswer,
		ExpiryAnswer,
		{readonly label: string; readonly lifetime?: undefined},
	];
};

/**
 * Returns the question to ask if the expiry to keep is under 60 s away, which the service does not accept. A
 * typed expiry is the user's to correct (`findProposalProblem`). `now` in UNIX seconds.
 */
export function findExpiryQuestion(
	proposal: Proposal,
	now: number,
	stored: Base | undefined = proposal.base,
): ExpiryQuestion | undefined {
	if (proposal.kind === 'delete') return undefined;
	const {lifetime, origin} = proposal;
	if (lifetime !== 'keep' && origin !== 'undo') return undefined;
	const {expiration} = getLifetimeToWrite(proposal, stored);
	if (expiration === undefined || expiration - now >= limits.minimumTtl) return undefined;
	const secondsLeft = expiration - now;
	return {
		why:
			secondsLeft > 0
				? `The key expires in ${secondsLeft} s, which is too soon for the service to accept.`
				: 'The key has expired, and the service accepts no expiration in the past.',
		answers: [
			{label: `Write with an expiration ${limits.minimumTtl} s from now`, lifetime: {ttl: limits.minimumTtl}},
			{label: 'Write without an expiration', lifetime: 'never'},
			{label: 'Cancel'},
		],
	};
}
