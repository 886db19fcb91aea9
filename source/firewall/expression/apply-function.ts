import {attempt} from '../../text/attempt.ts';
import {type FieldValue, isAddress, isEqualValue, isListValue, isMapValue} from './field-value.ts';
import {formatIpAddress, toNetworkAddress} from './grammar/addresses.ts';
import {createUnknownOperation, mergeUnknown, Unknown} from './unknown.ts';

/**
 * Evaluates a function. `isExact`: what is not supported here is unknown; otherwise it is undefined, and
 * functions that decode or replace parts of a text return it unchanged.
 */
export function applyFunction(name: string, values: readonly FieldValue[], isExact: boolean): FieldValue {
	// The only function that does not need all its arguments.
	if (name === 'coalesce') return values.find(one => one !== undefined);
	const unknown = values.filter(one => one instanceof Unknown);
	if (unknown.length > 0) return unknown.reduce(mergeUnknown);
	const result = applySupportedFunction(name, values, isExact);
	return result === unsupported ? createUnknownOperation(`${name}()`) : result;
}

/** Result of a function that cannot be evaluated exactly. */
const unsupported = Symbol('unsupported');

function applySupportedFunction(
	name: string,
	[subject, ...otherArguments]: readonly FieldValue[],
	isExact: boolean,
): FieldValue | typeof unsupported {
	const text = typeof subject === 'string' ? subject : undefined;
	const argument = typeof otherArguments[0] === 'string' ? otherArguments[0] : undefined;
	switch (name) {
		case 'len':
			if (isListValue(subject)) return subject.length;
			return isMapValue(subject)
				? (subject.rest ?? subject.byName.size)
				: text === undefined
					? undefined
					: Buffer.byteLength(text);
		case 'lower':
			return text?.toLowerCase();
		case 'upper':
			return text?.toUpperCase();
		case 'starts_with':
			return text !== undefined && argument !== undefined && text.startsWith(argument);
		case 'ends_with':
			return text !== undefined && argument !== undefined && text.endsWith(argument);
		case 'concat': {
			const parts = [subject, ...otherArguments];
			if (isExact && parts.some(one => typeof one === 'object')) return unsupported;
			return parts.map(one => (typeof one === 'object' ? '' : String(one ?? ''))).join('');
		}
		case 'substring': {
			const [start, end] = otherArguments;
			if (text === undefined || typeof start !== 'number') return undefined;
			return typeof end === 'number' ? text.slice(start, end) : text.slice(start);
		}
		case 'has_key':
			if (!isMapValue(subject)) return undefined;
			return (argument !== undefined && subject.byName.has(argument)) || (subject.rest ?? false);
		case 'has_value': {
			if (isListValue(subject)) return subject.some(one => isEqualValue(one, otherArguments[0]));
			if (!isMapValue(subject)) return undefined;
			const hasValue = [...subject.byName.values()].some(one => isEqualValue(one, otherArguments[0]));
			return hasValue || (subject.rest ?? false);
		}
		case 'join':
			return isListValue(subject) ? subject.join(argument ?? '') : undefined;
		case 'split': {
			const parts = text === undefined ? [] : text.split(argument ?? ' ');
			return isExact && parts.length > Number(otherArguments[1] ?? parts.length) ? unsupported : parts;
		}
		case 'cidr':
		case 'cidr6':
			return maskAddress(subject, name === 'cidr6' ? [undefined, otherArguments[0]] : otherArguments);
		case 'url_decode':
			if (!isExact || text === undefined || !/[%+]/.test(text)) return text;
			return (otherArguments.length === 0 && decodeUrl(text)) || unsupported;
		case 'decode_base64':
		case 'remove_bytes':
		case 'regex_replace':
		case 'wildcard_replace':
		case 'remove_query_args':
			return isExact && text !== undefined ? unsupported : text;
		case 'to_string':
			if (isAddress(subject) && isExact) return formatIpAddress(subject);
			// A text that no rule is likely to name.
			return isAddress(subject) ? 'qz' : String(subject ?? '');
		default:
			return isExact ? unsupported : undefined;
	}
}

/** Decodes a URL; undefined if it is not UTF-8. */
const decodeUrl = (text: string): string | undefined =>
	attempt(() => decodeURIComponent(text.replaceAll('+', ' ')));

function maskAddress(subject: FieldValue, [ipv4Bits, ipv6Bits]: readonly FieldValue[]): FieldValue {
	if (!isAddress(subject)) return undefined;
	const bits = subject.version === 4 ? ipv4Bits : ipv6Bits;
	return typeof bits === 'number' ? toNetworkAddress(subject, bits) : subject;
}
