import {once} from 'node:events';
import {styleText} from 'node:util';
import type {Failure} from '../failure.ts';
import type {OutputStream, Streams} from '../host.ts';
import {escapeJson, escapeLines, escapeText} from '../text/safe-text.ts';
import {formatLink, type LinkedText, linkPages, supportsLinks} from './links.ts';
import {formatDuration, showCountdown} from './progress.ts';

type Style = Parameters<typeof styleText>[0];

type OutputOptions = {
	readonly json: boolean;
	readonly verbose: boolean;
};

/**
 * Where a command prints: data on stdout, everything else on stderr. All text that comes from data
 * passes through `safe-text.ts` here; only `writeBytes` prints it as it is.
 */
export type Output = {
	readonly json: boolean;
	readonly verbose: boolean;
	readonly stdoutIsTerminal: boolean;
	readonly stderrIsTerminal: boolean;
	/** Width of stdout; 80 if it is not a terminal. */
	readonly columns: number;
	/** Prints text of several lines on stdout, made safe; waits for a slow reader. Links only on a terminal that has them. */
	writeText(text: string | LinkedText): Promise<void>;
	/** Prints a JSON value on stdout like wrangler: two spaces, one field a line. */
	writeJson(value: unknown): Promise<void>;
	/** Prints JSON text on stdout, made safe without changing its meaning. */
	writeJsonText(text: string): Promise<void>;
	/** Prints raw bytes on stdout, such as the value of a key. */
	writeBytes(bytes: Uint8Array): Promise<void>;
	/** Prints a sentence on stderr; not with `--json`, where stderr holds objects only. */
	say(sentence: string): void;
	/** Prints a sentence on stderr if it is a terminal, or with `--verbose`. */
	sayIfInteractive(sentence: string): void;
	/** Always prints a sentence on stderr; with `--json` an object with `notice`. */
	notice(sentence: string): void;
	/** Prints a warning on stderr; with `--json` an object with `warning`. */
	warn(sentence: string): void;
	/**
	 * Explains a wait of `milliseconds`: counted down on a terminal, printed once elsewhere, not with
	 * `--json`. `attemptLabel` names the next attempt.
	 */
	wait(why: string, milliseconds: number, signal?: AbortSignal, attemptLabel?: string): void;
	/** Prints a line if `--verbose` is set. */
	trace(line: string): void;
	/** Prints a failure on stderr; with `--json` an object with `error`. */
	printFailure(failure: Failure): void;
	style(format: Style, text: string): string;
};

export function createOutput({json, verbose}: OutputOptions, {stdout, stderr, env}: Streams): Output {
	const style = (format: Style, text: string) =>
		hasColours(stderr, env) ? styleText(format, text, {validateStream: false}) : text;
	const writeLine = (text: string) => stderr.write(`${text}\n`);
	/** Makes all text safe first, so that the only sequences are those of the links. */
	const formatLinks = (parts: LinkedText, stream: OutputStream) =>
		parts
			.map(part => {
				if (typeof part === 'string') return escapeLines(part);
				const text = escapeText(part.text);
				return !json && supportsLinks(stream, env) ? formatLink(text, part.link) : text;
			})
			.join('');
	const writeStdout = async (chunk: string | Uint8Array) => {
		if (!stdout.write(chunk)) await once(stdout, 'drain');
	};
	return {
		json,
		verbose,
		stdoutIsTerminal: stdout.isTTY === true,
		stderrIsTerminal: stderr.isTTY === true,
		columns: stdout.columns ?? 80,
		writeText: text => writeStdout(typeof text === 'string' ? escapeLines(text) : formatLinks(text, stdout)),
		writeJson: value => writeStdout(`${escapeJson(JSON.stringify(value, null, 2))}\n`),
		writeJsonText: text => writeStdout(escapeJson(text)),
		writeBytes: writeStdout,
		say(sentence) {
			if (!json) writeLine(escapeText(sentence));
		},
		sayIfInteractive(sentence) {
			if (!json && (verbose || stderr.isTTY)) writeLine(escapeText(sentence));
		},
		notice(sentence) {
			writeLine(json ? escapeJson(JSON.stringify({notice: sentence})) : escapeText(sentence));
		},
		warn(sentence) {
			if (json) writeLine(escapeJson(JSON.stringify({warning: sentence})));
			else writeLine(`${style('yellow', 'warning:')} ${escapeText(sentence)}`);
		},
		wait(why, milliseconds, signal, attemptLabel) {
			if (json) return;
			const time = formatDuration(milliseconds / 1000);
			if (stderr.isTTY)
				showCountdown(stderr, escapeText(why), milliseconds, signal, attemptLabel && `${attemptLabel} in`);
			else
				writeLine(
					attemptLabel
						? `${attemptLabel} in ${time}: ${escapeText(why)}`
						: `${escapeText(why)} (waiting ${time})`,
				);
		},
		trace(text) {
			if (verbose) writeLine(style('dim', escapeText(text)));
		},
		printFailure(failure) {
			if (json) writeLine(escapeJson(JSON.stringify({error: toFailureJson(failure)})));
			else
				for (const text of formatFailure(failure, style, next => formatLinks(linkPages(next), stderr)))
					writeLine(text);
		},
		style,
	};
}

/** True if colours are wanted, by Node's rules (NO_COLOR, FORCE_COLOR, TERM). */
const hasColours = (stream: OutputStream, env: NodeJS.ProcessEnv): boolean =>
	env.FORCE_COLOR === undefined
		? stream.isTTY === true && (stream.getColorDepth?.(env) ?? 1) > 2
		: process.getBuiltinModule('node:tty').WriteStream.prototype.getColorDepth(env) > 2;

function toFailureJson({code, message, next, details}: Failure) {
	return {
		code,
		what: message,
		why: details.why ?? null,
		next: next ?? null,
		http: details.http ?? null,
		ray: details.ray ?? null,
		left: details.left ?? null,
	};
}

function formatFailure(
	{message, next, details}: Failure,
	style: Output['style'],
	formatNext: (text: string) => string,
): string[] {
	const indentLines = (label: string, text: string, format = escapeLines) =>
		format(text)
			.split('\n')
			.map((one, index) => `  ${index === 0 ? label : ' '.repeat(label.length)}${one}`);
	const {why, left, http, ray} = details;
	const httpParts = [
		http === undefined ? '' : `HTTP ${http}`,
		ray === undefined ? '' : `ray ${escapeText(ray)}`,
	];
	return [
		`${style('red', 'error:')} ${escapeText(message)}`,
		...(why ? indentLines('', why) : []),
		...(left ? indentLines('state: ', left) : []),
		...(next ? indentLines('next:  ', next, formatNext) : []),
		...(http === undefined && ray === undefined
			? []
			: [`  ${style('dim', httpParts.filter(Boolean).join(' · '))}`]),
	];
}
