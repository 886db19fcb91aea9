import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Environment, Program} from './programs.ts';

/** A key as either program lists it. */
export type Listed = {readonly name: string; readonly expiration?: number; readonly metadata?: unknown};

type PutOptions = {readonly ttl?: number; readonly expiration?: number; readonly metadata?: object};

export type Entry = PutOptions & {readonly key: string; readonly value: Buffer};

/** One namespace, through the commands of one program, with words that both programs understand. */
export class Namespace {
	readonly program: Program;
	readonly #folder: string;
	readonly #selection: readonly string[];
	readonly #environment: Environment;

	/** `selection`: the options that name the namespace; `folder`: for the files that commands read. */
	constructor(program: Program, folder: string, selection: readonly string[], environment: Environment = {}) {
		this.program = program;
		this.#folder = folder;
		this.#selection = selection;
		this.#environment = environment;
	}

	async put({key, value, ttl, expiration, metadata}: Entry): Promise<void> {
		const file = join(this.#folder, 'value.bin');
		writeFileSync(file, value);
		await this.#run('key', 'put', key, '--path', file, [
			...(ttl === undefined ? [] : ['--ttl', `${ttl}`]),
			...(expiration === undefined ? [] : ['--expiration', `${expiration}`]),
			...(metadata === undefined ? [] : ['--metadata', JSON.stringify(metadata)]),
		]);
	}

	async putText(key: string, value: string): Promise<void> {
		await this.#run('key', 'put', key, value, []);
	}

	async get(key: string): Promise<Buffer> {
		return this.#run('key', 'get', key, []);
	}

	/** All keys; an expiry in UNIX seconds, whether the program prints seconds or ISO 8601. */
	async list(prefix?: string): Promise<Listed[]> {
		const words = prefix === undefined ? [] : ['--prefix', prefix];
		if (this.program.name === 'ledge') words.push('--metadata');
		const listed = JSON.parse((await this.#run('key', 'list', words)).toString('utf8')) as Record<
			string,
			unknown
		>[];
		return listed.map(({name, expiration, metadata}) => ({
			name: `${name}`,
			...(expiration !== undefined && {
				expiration: typeof expiration === 'number' ? expiration : Date.parse(`${expiration}`) / 1000,
			}),
			...(metadata !== undefined && {metadata}),
		}));
	}

	async delete(key: string): Promise<void> {
		await this.#run('key', 'delete', key, []);
	}

	async bulkPut(entries: readonly object[]): Promise<void> {
		await this.#run('bulk', 'put', this.#json(entries), []);
	}

	async bulkDelete(keys: readonly unknown[]): Promise<void> {
		await this.#run('bulk', 'delete', this.#json(keys), ['--force']);
	}

	async bulkGet(keys: readonly string[]): Promise<unknown> {
		return JSON.parse((await this.#run('bulk', 'get', this.#json(keys), [])).toString('utf8'));
	}

	#json(data: unknown): string {
		const file = join(this.#folder, 'bulk.json');
		writeFileSync(file, JSON.stringify(data));
		return file;
	}

	async #run(...words: readonly (string | readonly string[])[]): Promise<Buffer> {
		const allWords = ['kv', ...words.flat(), ...this.#selection];
		const result = await this.program.run(allWords, this.#environment);
		assert.equal(
			result.code,
			0,
			`${this.program.name} ${allWords.join(' ').slice(0, 200)}: exit ${result.code}\n${result.err}${result.out}`,
		);
		return result.out;
	}
}
