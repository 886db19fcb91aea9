import {type DecodedValue, decodeValue} from '../../decoding/decode.ts';
import {decodingLimits, encodingNames, formatEncodings, isImageEncoding} from '../../decoding/encodings.ts';
import {Failure} from '../../failure.ts';
import {formatShortSize} from '../../text/figures.ts';
import {detectContent, isUtf8Text} from '../../text/json/content.ts';
import type {CommandContext} from '../shell/context.ts';
import type {DecodeChoice} from './decode-option.ts';

/** What `--decode` and `--query` make of a value. */
type ReadValue = {
	readonly bytes: Uint8Array;
	/** Fields of `--json`. */
	readonly json: {readonly decoded?: readonly string[]; readonly notes?: readonly string[]};
};

/** Milliseconds that a query may take. */
const queryTimeoutMs = 20_000;

/**
 * Decodes a value, then asks the query of it. No result exits with 1, like `grep`. Fails with
 * `value_undecodable`.
 */
export async function readForCommand(
	context: CommandContext,
	{decode, query}: {readonly decode?: DecodeChoice; readonly query?: string},
	stored: Uint8Array,
): Promise<ReadValue> {
	const decoded: ReadValue =
		decode === undefined ? {bytes: stored, json: {}} : await decodeForCommand(context, decode, stored);
	if (query === undefined) return decoded;
	const {bytes, json} = decoded;
	const {askDocument, formatQueryResult, parseQueryDocument} = await import('../../query/query.ts');
	const document = isUtf8Text(bytes) ? parseQueryDocument(Buffer.from(bytes).toString('utf8')) : undefined;
	if (!document)
		throw new Failure(
			'value_undecodable',
			"The value is not JSON, or nested too deeply, so it can't be queried.",
			{
				next: decode === undefined ? 'If it is encoded, add --decode.' : undefined,
			},
		);
	const {output} = context;
	if (document.inexactNumber !== undefined)
		output.warn(`Queries round numbers with many digits, such as ${document.inexactNumber}.`);
	const result = askDocument(document, query, queryTimeoutMs, value =>
		value === null ? undefined : formatQueryResult(value),
	);
	if (result === undefined) {
		output.sayIfInteractive('No result.');
		context.setExitCode(1);
		return {bytes: Buffer.from(output.json ? 'null' : ''), json};
	}
	return {bytes: Buffer.from(`${result}\n`), json};
}

/** Decodes a value, and says on stderr how. */
async function decodeForCommand(
	{output, signal}: CommandContext,
	choice: DecodeChoice,
	stored: Uint8Array,
): Promise<ReadValue> {
	const maxBytes = decodingLimits.commandBytes;
	const decoded = await decodeValue(stored, {encoding: choice, maxBytes, keepsImages: true}, signal);
	if (!decoded) {
		output.sayIfInteractive('No encoding was detected; this is the stored value.');
		return {bytes: stored, json: {decoded: [], notes: []}};
	}
	const {encodings, notes, bytes, isCut} = decoded;
	if (isCut) throw buildTooLargeFailure(decoded);
	const isVerifiable = encodings.includes('jwt');
	const summary = `Decoded ${[formatEncodings(encodings, detectContent(bytes).kind === 'json' ? 'JSON' : 'a value'), ...notes].join(', ')}.`;
	if (isVerifiable) output.say(summary);
	else output.sayIfInteractive(summary);
	if (encodings.some(isImageEncoding))
		output.sayIfInteractive('An image is printed as it is; the screens draw it.');
	return {bytes, json: {decoded: encodings, notes}};
}

const buildTooLargeFailure = ({encodings}: DecodedValue): Failure =>
	new Failure(
		'value_undecodable',
		`The value decodes to more than ${formatShortSize(decodingLimits.commandBytes)}.`,
		{
			why: `It is ${encodings.map(encoding => encodingNames[encoding]).join(', then ')}, and decoding stops at this limit.`,
			next: 'Leave out --decode, and pipe the value into another program.',
		},
	);
