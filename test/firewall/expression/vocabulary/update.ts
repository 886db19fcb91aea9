// npm run fields -- FIELDS.json CHANGES.json 2026-10-10: rebuilds the table of fields from the list of fields
// and the list of new or changed fields, as documented on that day.
import {readFileSync, writeFileSync} from 'node:fs';
import {fileURLToPath} from 'node:url';
import type {FieldTable} from '../../../../source/firewall/expression/vocabulary/fields.ts';
import {formatFieldTable, type ListedField, rebuild} from './rebuild.ts';

const [fieldsPath, changesPath, date] = process.argv.slice(2);
if (!fieldsPath || !changesPath || !/^\d{4}-\d{2}-\d{2}$/.test(date ?? '')) {
	process.stderr.write('npm run fields -- FIELDS.json CHANGES.json YYYY-MM-DD\n');
	process.exit(2);
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const tablePath = fileURLToPath(
	new URL('../../../../source/firewall/expression/vocabulary/fields.json', import.meta.url),
);
const {table, undescribedNames, dropped} = rebuild(
	readJson<FieldTable>(tablePath),
	readJson<ListedField[]>(fieldsPath),
	readJson<ListedField[]>(changesPath),
	date ?? '',
);
writeFileSync(tablePath, formatFieldTable(table));
process.stdout.write(`${table.fields.length} fields of ${date}.\n`);
for (const name of dropped) process.stdout.write(`dropped, in neither list: ${name}\n`);
for (const name of undescribedNames) process.stdout.write(`needs a sentence ("about"): ${name}\n`);
if (undescribedNames.length > 0) process.exitCode = 1;
