import type {ExpressionFunction} from '../vocabulary/entries.ts';
import type {ArgumentRead} from './argument-checks.ts';
import type {Correction, Span} from './problem.ts';
import type {Reading} from './reading.ts';

/** Where the clock of the request is found: what a signature is compared with. */
const clock = 'http.request.timestamp.sec';

const isWrittenOut = ({argument: {kind}}: ArgumentRead): boolean =>
	kind !== 'field' && kind !== 'call' && kind !== 'expression';

/** Arguments of the right kinds in a wrong order, or without the one that is nearly always the same. */
export function rearranged(
	reading: Reading,
	span: Span,
	{name, parameters}: ExpressionFunction,
	items: readonly ArgumentRead[],
): Correction | undefined {
	const last = items.at(-1);
	const [first, second] = items;
	if (!first || !second || !last) return undefined;
	const call = (written: readonly string[]): Correction => {
		const open = reading.slice({start: span.start, end: first.argument.start});
		return {span, text: `${open}${written.join(', ')})`};
	};
	const texts = items.map(({argument}) => reading.slice(argument));
	if (name === 'split' && items.length === 2) return call([...texts, '64']);
	if (name === 'is_timed_hmac_valid_v0') {
		const order = signatureOrder(reading, items);
		return order && call(order);
	}
	const isSwapped =
		parameters.length === 2 && items.length === 2 && isWrittenOut(first) && !isWrittenOut(second);
	return isSwapped && (parameters[0]?.only === 'field' || name === 'has_key' || name === 'has_value')
		? call([...texts].reverse())
		: undefined;
}

/** Key, message, lifetime and clock of a signature, where each can be told from the others. */
function signatureOrder(reading: Reading, items: readonly ArgumentRead[]): readonly string[] | undefined {
	const four = items.slice(0, 4);
	const of = (kind: string, written: boolean) =>
		four.filter(item => item.type?.kind === kind && isWrittenOut(item) === written);
	const [keys, messages, lifetimes, clocks] = [
		of('String', true),
		of('String', false),
		of('Integer', true),
		of('Integer', false),
	] as const;
	const isSure = keys.length === 1 && messages.length === 1 && lifetimes.length === 1 && clocks.length <= 1;
	if (!isSure || items.length < 3) return undefined;
	const slice = (all: readonly ArgumentRead[]) => all.map(({argument}) => reading.slice(argument));
	return [
		...slice([...keys, ...messages, ...lifetimes]),
		...(clocks.length > 0 ? slice(clocks) : [clock]),
		...slice(items.slice(keys.length + messages.length + lifetimes.length + clocks.length)),
	];
}
