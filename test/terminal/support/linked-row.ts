import type {Row} from '../../../source/screens/rows/rows.ts';

/** Wide characters on both borders of the link, whose characters are in no other part but for the blanks. */
export const linkedRow: Row = [
	{text: 'ray 線', look: 'dim'},
	{text: '名4f 00 イz', look: 'plain', link: 'https://dash.cloudflare.com/a/b/security/events'},
	{text: 'アAFTER', look: 'warning'},
];

export const widths: readonly number[] = Array.from({length: 26}, (_, index) => index + 1);
