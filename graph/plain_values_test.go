package graph

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"time"
	"unsafe"

	"ticketgate/domain/ecmajson"
	"ticketgate/domain/moment"
)

// filler fills values of any type with random data.
type filler struct {
	random *rand.Rand
	// objects are the possible values of interfaces.
	objects []reflect.Type
}

var (
	jsonTexts  = []string{`null`, `{"a":[1,2.5,"x\n"],"b":{}}`, `[]`, `"text"`, `{"z":null,"a":true}`}
	plainTexts = []string{"", "Zoë", "a \"b\" \\ \t\r\n\x00\x1f", "\xff\xfe", "<&>\u2028", "6570c1119d3e4f0012ab0200", "2026-11-27"}
	floats     = []float64{0, -1.5, 1e21, 1e-9, math.MaxFloat64, 0.1, math.NaN()}
)

// fill fills a value including its unexported fields. Pointers and lists end at a certain depth.
func (f *filler) fill(v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.UnixMilli(f.random.Int64N(4e12)).UTC()))
		return
	case moment.DateTime:
		v.Set(reflect.ValueOf(moment.New(time.UnixMilli(f.random.Int64N(8e12) - 4e12))))
		return
	case ecmajson.Value:
		value, err := ecmajson.Parse([]byte(jsonTexts[f.random.IntN(len(jsonTexts))]), ecmajson.Limits{})
		if err != nil {
			panic(err)
		}
		v.Set(reflect.ValueOf(value))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for _, field := range v.Fields() {
			f.fill(reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem(), depth)
		}
	case reflect.Pointer:
		if depth < maxQueryDepth && f.random.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if depth < maxQueryDepth && f.random.IntN(4) > 0 {
			v.Set(reflect.MakeSlice(v.Type(), f.random.IntN(4), 4))
			for i := range v.Len() {
				f.fill(v.Index(i), depth+1)
			}
		}
	case reflect.Interface:
		if len(f.objects) > 0 && v.NumMethod() == 0 && f.random.IntN(4) > 0 {
			object := reflect.New(f.objects[f.random.IntN(len(f.objects))]).Elem()
			f.fill(object, depth+1)
			v.Set(object)
		}
	case reflect.Func:
		fails := f.random.IntN(8) == 0
		v.Set(reflect.MakeFunc(v.Type(), func([]reflect.Value) []reflect.Value { return results(v.Type(), fails) }))
	default:
		f.fillBasic(v)
	}
}

func (f *filler) fillBasic(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(plainTexts[f.random.IntN(len(plainTexts))])
	case reflect.Bool:
		v.SetBool(f.random.IntN(2) == 0)
	case reflect.Int, reflect.Int64, reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(int64(f.random.IntN(4)))
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(uint64(f.random.IntN(4)))
	case reflect.Float64, reflect.Float32:
		v.SetFloat(floats[f.random.IntN(len(floats))])
	default: // records have no other kinds
	}
}

// results returns the results of a record's function: always the same, or a panic.
func results(of reflect.Type, fails bool) []reflect.Value {
	if fails {
		panic("a function of a record")
	}
	returned := make([]reflect.Value, of.NumOut())
	for i := range returned {
		returned[i] = reflect.Zero(of.Out(i))
		if of.Out(i) == reflect.TypeFor[error]() {
			returned[i] = reflect.ValueOf(errors.New("uncounted")).Convert(of.Out(i))
		}
	}
	return returned
}
