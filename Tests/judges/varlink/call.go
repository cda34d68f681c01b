// Calls any Varlink service with varlink-go, which this project did not write.
//
//	call SOCKET                                  what the service is and serves, as one JSON object
//	call SOCKET METHOD [JSON] [--more|--oneway]  calls a method; one line of JSON for each reply
//
// SOCKET is a path. METHOD is the full name, JSON an object with the parameters (by default {}). An error reply is
// printed as {"error": ..., "parameters": ...}, with exit status 1.
//
// Built with Debian's packages golang-go and golang-github-varlink-go-dev:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o call call.go
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/varlink/go/varlink"
	"github.com/varlink/go/varlink/idl"
)

type service struct {
	Vendor       string              `json:"vendor"`
	Product      string              `json:"product"`
	Version      string              `json:"version"`
	URL          string              `json:"url"`
	Interfaces   []string            `json:"interfaces"`
	Descriptions map[string]string   `json:"descriptions"`
	Methods      map[string][]string `json:"methods"`
}

func main() {
	var words []string
	var flags uint64
	for _, word := range os.Args[1:] {
		switch word {
		case "--more":
			flags |= varlink.More
		case "--oneway":
			flags |= varlink.Oneway
		default:
			words = append(words, word)
		}
	}
	if len(words) < 1 || len(words) > 3 {
		fail(64, "usage: call SOCKET [METHOD [JSON]] [--more|--oneway]")
	}
	ctx := context.Background()
	connection, err := varlink.NewConnection(ctx, "unix:"+words[0])
	if err != nil {
		fail(69, err)
	}
	defer connection.Close()
	if len(words) == 1 {
		introspect(ctx, connection)
		return
	}
	parameters := json.RawMessage("{}")
	if len(words) == 3 {
		parameters = json.RawMessage(words[2])
	}
	call(ctx, connection, words[1], parameters, flags)
}

func introspect(ctx context.Context, connection *varlink.Connection) {
	s := service{Descriptions: map[string]string{}, Methods: map[string][]string{}}
	if err := connection.GetInfo(ctx, &s.Vendor, &s.Product, &s.Version, &s.URL, &s.Interfaces); err != nil {
		fail(70, err)
	}
	for _, name := range s.Interfaces {
		text, err := connection.GetInterfaceDescription(ctx, name)
		if err != nil {
			fail(70, err)
		}
		parsed, err := idl.New(text)
		if err != nil {
			fail(70, fmt.Sprintf("%s: %v", name, err))
		}
		if parsed.Name != name {
			fail(70, fmt.Sprintf("%s describes itself as %s", name, parsed.Name))
		}
		s.Descriptions[name] = text
		s.Methods[name] = []string{}
		for _, member := range parsed.Members {
			if method, ok := member.(*idl.Method); ok {
				s.Methods[name] = append(s.Methods[name], method.Name)
			}
		}
	}
	show(s)
}

func call(ctx context.Context, connection *varlink.Connection, method string, parameters json.RawMessage, flags uint64) {
	receive, err := connection.Send(ctx, method, parameters, flags)
	if err != nil {
		fail(70, err)
	}
	if flags&varlink.Oneway != 0 {
		return
	}
	for {
		reply := json.RawMessage("{}")
		more, err := receive(ctx, &reply)
		if err != nil {
			refused(err)
		}
		show(reply)
		if more&varlink.Continues == 0 {
			return
		}
	}
}

// The library turns standard errors into types of their own, but for the two that are newer than it.
func refused(err error) {
	const standard = "org.varlink.service."
	name, parameters := "", interface{}(err)
	switch e := err.(type) {
	case *varlink.InterfaceNotFound:
		name = standard + "InterfaceNotFound"
	case *varlink.MethodNotFound:
		name = standard + "MethodNotFound"
	case *varlink.MethodNotImplemented:
		name = standard + "MethodNotImplemented"
	case *varlink.InvalidParameter:
		name = standard + "InvalidParameter"
	case *varlink.Error:
		name, parameters = e.Name, e.Parameters
	default:
		fail(70, err)
	}
	show(map[string]interface{}{"error": name, "parameters": parameters})
	os.Exit(1)
}

func show(value interface{}) {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		fail(70, err)
	}
}

func fail(status int, why interface{}) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(status)
}
