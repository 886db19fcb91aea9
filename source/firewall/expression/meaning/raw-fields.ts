import type {Parser} from '../grammar/parser.ts';
import type {Operand} from '../grammar/tree.ts';

const rawFields: ReadonlySet<string> = new Set([
	'raw.http.request.full_uri',
	'raw.http.request.uri',
	'raw.http.request.uri.path',
	'raw.http.request.uri.path.extension',
]);

/**
 * Adds a hint to a raw field that is compared with an ordinary text: requests can be written in other ways
 * that do not match. Not if the text is one that only raw fields have, or if the expression uses the
 * normalized field too.
 */
export function addRawFieldHint(
	parser: Parser,
	field: Operand & {kind: 'field'},
	texts: readonly string[],
): void {
	const normalizedName = field.name.slice('raw.'.length);
	if (!rawFields.has(field.name) || parser.fields.has(normalizedName)) return;
	if (texts.length === 0 || texts.some(text => !isOrdinary(text))) return;
	parser.hint(
		field,
		`This is as sent, so //, /./ and %61 in place of a are not resolved. Use ${normalizedName} to match them too.`,
		{code: 'L111'},
	);
}

/** True for a text that normalization leaves as it is, and that is more than a scheme and a host. */
const isOrdinary = (text: string): boolean =>
	text !== '' && !/[%\\ ]|(?<!:)\/\/|\/\.|:\/\/[^/]*\/?$/.test(text);
