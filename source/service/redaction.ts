import {type Advice, Failure, type FailureDetails} from '../failure.ts';
import type {ServiceMessage} from './envelope.ts';

/** Removes secrets from foreign text: from a service, proxy or child process. */
export type Redact = (text: string) => string;

const redactedMark = '[redacted]';

/** Shorter secrets are ordinary words; redacting them would hide the message. */
const minSecretLength = 8;

/** Token of the simulated service; it is public and part of its advice. */
const simulatedToken = 'simulated';

/** Lists the secrets in credential headers. */
export function listSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
	return Object.entries(headers).flatMap(([name, value]) => {
		switch (name.toLowerCase()) {
			case 'authorization':
				return [value.replace(/^\w+ /, '')];
			case 'x-auth-key':
				return [value];
			default:
				return [];
		}
	});
}

/**
 * Creates a function that removes these secrets from text, also URL-encoded or in base64 at any byte offset.
 * Not for keys, values or metadata, which stay exact.
 */
export function createRedactor(secrets: readonly string[]): Redact {
	const forms = secrets
		.filter(secret => secret.length >= minSecretLength && secret !== simulatedToken)
		.flatMap(listSecretForms)
		.sort((one, other) => other.length - one.length);
	if (forms.length === 0) return text => text;
	const pattern = new RegExp([...new Set(forms)].map(escapeRegExp).join('|'), 'gi');
	return text => text.replace(pattern, redactedMark);
}

const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function listSecretForms(secret: string): string[] {
	const jsonText = JSON.stringify(secret).slice(1, -1);
	const percent = [...Buffer.from(secret)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
	return [secret, encodeURIComponent(secret), percent, jsonText, ...listBase64Forms(secret)];
}

/** Returns the base64 parts that do not depend on neighbouring bytes, for each of the three offsets. */
function listBase64Forms(secret: string): string[] {
	return [0, 1, 2].flatMap(shift => {
		const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
		const startIndex = Math.ceil((shift * 8) / 6);
		const endIndex = Math.floor((bytes.length * 8) / 6);
		const base64 = bytes.toString('base64').slice(startIndex, endIndex);
		return base64.length < minSecretLength ? [] : [base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

/** Returns a failure with secrets removed from all of its texts. */
export function redactFailure(failure: Failure, redact: Redact): Failure {
	const {why, next, left, ray, cause} = failure.details;
	const details: FailureDetails = {
		...failure.details,
		why: why && redact(why),
		next: redactDeep(next, redact) as Advice | undefined,
		left: left && redact(left),
		ray: ray && redact(ray),
		cause: redactDeep(cause, redact),
	};
	return new Failure(failure.code, redact(failure.message), details);
}

export const redactMessages = (
	messages: readonly ServiceMessage[],
	redact: Redact,
): readonly ServiceMessage[] => redactDeep(messages, redact) as readonly ServiceMessage[];

/** Redacts strings in lists and objects. Errors keep only their message, since the stack repeats it. */
function redactDeep(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map(item => redactDeep(item, redact));
	if (value instanceof Failure) return redactFailure(value, redact);
	if (value instanceof Error) {
		const message = value.message;
		return redact(`${message}${value.stack ?? ''}`) === `${message}${value.stack ?? ''}`
			? value
			: new Error(redact(message));
	}
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, item]) => [redact(name), redactDeep(item, redact)]),
	);
}
