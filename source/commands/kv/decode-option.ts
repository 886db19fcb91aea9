import {createChoiceOption, createValueOption} from '../shell/declare.ts';

/** What `--decode` takes; an image is detected, and drawn by the screens only. */
const decodeChoices = [
	'auto',
	'gzip',
	'br',
	'zstd',
	'base64',
	'jwt',
	'messagepack',
	'cbor',
	'form',
	'ndjson',
] as const;

export type DecodeChoice = (typeof decodeChoices)[number];

export const createDecodeOption = () =>
	createChoiceOption(
		'--decode [encoding]',
		'decode the value for reading; --decode=gzip names its encoding (default: detected)',
		decodeChoices,
	);

/** `--query`, a question in JMESPath. */
export const createQueryOption = (description: string) => createValueOption('--query <query>', description);
